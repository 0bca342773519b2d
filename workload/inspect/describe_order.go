package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ordered passes submission times on in ascending order. It leaves out and counts a time
// that is too late for workload.OrderBuffer, because a description of the other jobs is
// still useful.
type ordered struct {
	buffer  *workload.OrderBuffer[float64]
	jobs    int64 // passed on
	leftOut int64
	bursts  *bursts
}

func newOrdered() *ordered {
	o := &ordered{bursts: newBursts()}
	o.buffer = workload.NewOrderBuffer(func(at *float64) float64 { return *at }, func(at *float64) bool {
		o.jobs++
		o.bursts.submitted(*at)
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

func (o *ordered) found() Bursts {
	o.buffer.Finish()
	return o.bursts.found(o.jobs, o.leftOut)
}
