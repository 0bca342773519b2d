package inspect

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// submission is what the parts that go by the order of submission see of a job.
type submission struct {
	submit, run       float64 // run is NaN where it is unknown
	user, application int64
}

// ordered passes submissions on in the order of their times; those of one
// instant stay in the log's. As in workload.InOrder a job may stand up to
// workload.OrderWindow jobs late; one that is later still is left out and
// counted, because a description is better than none.
type ordered struct {
	to       []func(submission)
	window   int
	held     []submission
	unsorted bool
	latest   float64 // submission of the job read last
	passed   float64 // submission of the job passed on last
	jobs     int64   // passed on
	leftOut  int64
}

func newOrdered() *ordered {
	return &ordered{window: workload.OrderWindow, latest: math.Inf(-1), passed: math.Inf(-1)}
}

func (o *ordered) add(s *slab) {
	for i, at := range s.submit {
		if math.IsNaN(at) {
			continue
		}
		if at < o.passed {
			o.leftOut++
			continue
		}
		o.unsorted = o.unsorted || at < o.latest
		o.latest = at
		o.held = append(o.held, submission{at, s.run[i], s.user[i], s.application[i]})
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
		slices.SortStableFunc(o.held, func(a, b submission) int {
			switch {
			case a.submit < b.submit:
				return -1
			case a.submit > b.submit:
				return 1
			}
			return 0
		})
		o.unsorted = false
		o.latest = o.held[len(o.held)-1].submit
	}
	for _, s := range o.held[:n] {
		for _, to := range o.to {
			to(s)
		}
		o.passed = s.submit
	}
	o.jobs += int64(n)
	o.held = o.held[:copy(o.held, o.held[n:])]
}
