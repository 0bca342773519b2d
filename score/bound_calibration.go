package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// CalibrationTally counts how often bounds at several quantiles held: the share
// requested against the share achieved. The zero value is empty.
type CalibrationTally struct {
	levels []float64
	jobs   []int
	held   []int
}

// CalibrationPoint is one quantile of a calibration curve.
type CalibrationPoint struct {
	Asked    float64      `json:"asked"`    // the requested quantile
	Jobs     int          `json:"jobs"`     // jobs with a bound and a known wait
	Achieved stats.Number `json:"achieved"` // the share whose wait does not exceed the bound; NaN if there are none
}

// NewCalibrationTally returns an empty tally of the quantiles.
func NewCalibrationTally(levels []float64) *CalibrationTally {
	return &CalibrationTally{levels, make([]int, len(levels)), make([]int, len(levels))}
}

// Add enters one job: the index of a quantile, the job's bound at it (NaN if
// there is none) and its wait, both in seconds.
func (t *CalibrationTally) Add(level int, bound, actual float64) {
	if math.IsNaN(bound) || !finite(actual) {
		return
	}
	t.jobs[level]++
	if actual <= bound {
		t.held[level]++
	}
}

// AddLevel enters one job by the predicted probability of a shorter wait than
// its own: bounds at higher quantiles held, others did not. NaN means a job
// without bounds.
func (t *CalibrationTally) AddLevel(level float64) {
	if math.IsNaN(level) {
		return
	}
	for i, q := range t.levels {
		t.jobs[i]++
		if level < q {
			t.held[i]++
		}
	}
}

// Result returns the curve, in the order of the quantiles.
func (t *CalibrationTally) Result() []CalibrationPoint {
	var out []CalibrationPoint
	for i, q := range t.levels {
		out = append(out, CalibrationPoint{q, t.jobs[i], stats.Number(ratio(t.held[i], t.jobs[i]))})
	}
	return out
}
