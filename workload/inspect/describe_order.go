package inspect

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ordered passes the times of submissions on in their order. As in workload.InOrder a job may stand up to
// workload.OrderWindow jobs late; one that is later still is left out and
// counted, because a description is better than none.
type ordered struct {
	to       func(submit float64)
	window   int
	held     []float64
	unsorted bool
	latest   float64 // submission of the job read last
	passed   float64 // submission of the job passed on last
	jobs     int64   // passed on
	leftOut  int64
}

func newOrdered(to func(submit float64)) *ordered {
	return &ordered{to: to, window: workload.OrderWindow, latest: math.Inf(-1), passed: math.Inf(-1)}
}

func (o *ordered) add(s *slab) {
	for _, at := range s.submit {
		if math.IsNaN(at) {
			continue
		}
		if at < o.passed {
			o.leftOut++
			continue
		}
		o.unsorted = o.unsorted || at < o.latest
		o.latest = at
		o.held = append(o.held, at)
		if len(o.held) == 2*o.window {
			o.pass(o.window)
		}
	}
}

// finish passes on what is still held.
func (o *ordered) finish() { o.pass(len(o.held)) }

// pass passes on the first n of the held submissions.
func (o *ordered) pass(n int) {
	if o.unsorted {
		slices.Sort(o.held)
		o.unsorted = false
		o.latest = o.held[len(o.held)-1]
	}
	for _, at := range o.held[:n] {
		o.to(at)
		o.passed = at
	}
	o.jobs += int64(n)
	o.held = o.held[:copy(o.held, o.held[n:])]
}
