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

// EstimatesReport is what a class's jobs asked for.
type EstimatesReport struct {
	Jobs     int64   // with a requested time and a run time
	LeftOut  int64   // the others
	Distinct int     // different requested times
	Largest  float64 // s
	Overrun  int64   // jobs that ran longer than they asked for
	RoundTo  float64 // s, to multiples of which requested times were rounded up; 0 is not at all
}

// fitEstimates returns the requested times of a class, nil and no error where
// its jobs have none.
func fitEstimates(c Class, o SiteOptions) (model.Estimates, *EstimatesReport, error) {
	if !c.asked.some {
		return model.Estimates{}, nil, nil
	}
	for _, counter := range c.asked.counters {
		if counter == nil {
			continue
		}
		l, err := counter.Result()
		if err != nil {
			return model.Estimates{}, nil, err
		}
		l.LeftOut = c.Jobs() - l.Jobs()
		if l.Jobs() < o.MinJobs {
			return model.Estimates{}, nil, fmt.Errorf("%d jobs have one, want at least %d", l.Jobs(), o.MinJobs)
		}
		r := &EstimatesReport{l.Jobs(), l.LeftOut, len(l.Bins), l.Bins[len(l.Bins)-1].Time, l.Overrun, l.RoundTo}
		return model.Estimates{Kind: model.FromLog, Log: l}, r, nil
	}
	return model.Estimates{}, nil, fmt.Errorf("there are more than %d of them, even in multiples of %g s", model.MaxEstimateBins, estimateRounds[len(estimateRounds)-1])
}
