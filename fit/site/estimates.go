package site

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
)

// EstimatesReport describes the requested times of a class's jobs.
type EstimatesReport struct {
	Jobs     int64   `json:"jobs" show:"jobs"`                      // with a requested time and a run time
	LeftOut  int64   `json:"left_out" show:"left out"`              // the others
	Distinct int     `json:"distinct" show:"different"`             // different requested times
	Largest  float64 `json:"largest_s" show:"longest,duration"`     // s
	Overrun  int64   `json:"overrun" show:"ran longer"`             // jobs that ran longer than requested
	RoundTo  float64 `json:"round_s" show:"rounded up to,duration"` // s, to multiples of which requested times were rounded up; 0 means no rounding
}

// fitEstimates returns the requested times of a class, nil and no error where
// its jobs have none.
func fitEstimates(c fit.Class, o Options) (model.Estimates, *EstimatesReport, error) {
	l, err := c.Estimates()
	if l == nil || err != nil {
		return nil, nil, err
	}
	if l.Jobs() < o.MinJobs {
		return nil, nil, fmt.Errorf("%s one, want at least %d", words.Counted(l.Jobs(), "job")+words.Plural(l.Jobs(), " has", " have"), o.MinJobs)
	}
	r := &EstimatesReport{l.Jobs(), l.LeftOut, len(l.Bins), l.Bins[len(l.Bins)-1].Time, l.Overrun, l.RoundTo}
	return *l, r, nil
}
