package fit

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// estimateRounds are the multiples, in seconds, to which requested times are
// rounded up: the first of which no more than model.MaxEstimateBins are left.
var estimateRounds = [...]float64{0, 60, 900}

// asked counts the requested times of a class with every rounding, since which
// one will do is known at the end only. Its memory is that of three counters,
// however many jobs and different times there are. The zero value is empty.
type asked struct {
	counters [len(estimateRounds)]*EstimateCounter // nil where there are too many times
	some     bool
}

func (a *asked) begin() {
	if a.some {
		return
	}
	a.some = true
	for i, round := range estimateRounds {
		a.counters[i], _ = NewEstimateCounter(round) // in range
	}
}

func (a *asked) add(j *workload.Job) {
	if !usable(j.Run, j.Time) {
		return
	}
	a.begin()
	for i, c := range a.counters {
		if c != nil && c.add(j.Run, j.Time) != nil {
			a.counters[i] = nil
		}
	}
}

func (a *asked) merge(later *asked) {
	if !later.some {
		return
	}
	a.begin()
	for i, c := range a.counters {
		if c != nil && (later.counters[i] == nil || c.Merge(later.counters[i]) != nil) {
			a.counters[i] = nil
		}
	}
}

// Estimates returns the requested times of the jobs, rounded up as little as
// possible; nil, and no error, where no job has one.
func (c *Collector) Estimates() (*model.LogEstimates, error) {
	if !c.asked.some {
		return nil, nil
	}
	for _, counter := range c.asked.counters {
		if counter == nil {
			continue
		}
		l, err := counter.Result()
		if err != nil {
			return nil, err
		}
		l.LeftOut = c.Jobs() - l.Jobs()
		return &l, nil
	}
	return nil, fmt.Errorf("there are more than %d of them, even in multiples of %g s", model.MaxEstimateBins, estimateRounds[len(estimateRounds)-1])
}
