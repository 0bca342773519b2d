package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ordered passes the times of submissions on in their order. One that is too late
// for a workload.OrderBuffer is left out and counted, because a description is
// better than none.
type ordered struct {
	buffer  *workload.OrderBuffer[float64]
	jobs    int64 // passed on
	leftOut int64
}

func newOrdered(to func(submit float64)) *ordered {
	o := new(ordered)
	o.buffer = workload.NewOrderBuffer(func(at *float64) float64 { return *at }, func(at *float64) bool {
		o.jobs++
		to(*at)
		return true
	})
	return o
}

func (o *ordered) add(s *slab) {
	for _, at := range s.submit {
		if !math.IsNaN(at) && !o.buffer.Add(at, &at) {
			o.leftOut++
		}
	}
}
