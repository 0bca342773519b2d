package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// exactLevel finds at which quantile of DowneyAExact's distribution the time at
// the head of the queue came. One number says of all quantiles whether their
// bounds held, where searching for each bound takes dozens.
type exactLevel struct {
	head  Head
	freed *freed // nil where the running jobs hold too few processors
}

// meet remembers a head as it is now.
func (e *exactLevel) meet(h *Head, l Lifetimes) {
	e.freed = nil
	if h.held() < h.Needed {
		return
	}
	// The simulation may give the requests of ended jobs to others.
	e.head.Needed, e.head.Running = h.Needed, append(e.head.Running[:0], h.Running...)
	requests := make([]workload.Request, len(h.Running))
	for i := range e.head.Running {
		requests[i] = *e.head.Running[i].Request
		e.head.Running[i].Request = &requests[i]
	}
	e.freed = newFreed(&e.head, l)
}

// of returns the level of what came, NaN where there is none. It is that just
// before: where a law ends at a moment, as at a user's estimate, jobs that end
// with it are within the bound.
func (e *exactLevel) of(actual float64) float64 {
	switch {
	case e.freed == nil:
		return math.NaN()
	case actual <= Shortest: // no bound is below
		return 0
	case actual > Longest:
		return 1
	}
	return e.freed.by(actual * (1 - 1e-10))
}
