package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// RunTimeBoundTally accumulates predictions of a quantile of run times. The zero value
// is empty.
type RunTimeBoundTally struct {
	jobs, held int
	loss, mean stats.Moments
}

// RunTimeBound contains the scores of predicted quantiles of run times, over
// the jobs that have one. An undefined score is NaN.
type RunTimeBound struct {
	Quantile float64 `json:"quantile" show:"quantile,full" narrow:"3"` // requested, in (0, 1)
	// Coverage is the share of the run times that do not exceed their bound,
	// to be compared with Quantile.
	Coverage     stats.Number `json:"coverage" csv:"bound_coverage" show:"covered,%.4f" narrow:"8"`
	QuantileLoss stats.Number `json:"pinball_loss_s" show:"pinball loss,s" narrow:"6" better:"low"` // mean of stats.QuantileLoss, s
	Mean         stats.Number `json:"bound_mean_s"`                                                 // s
}

// Add enters one job: the requested quantile, the predicted bound in seconds
// (NaN if there was none) and the actual run time in seconds.
func (t *RunTimeBoundTally) Add(quantile, bound, actual float64) {
	if !finite(bound) || !finite(actual) {
		return
	}
	t.jobs++
	if actual <= bound {
		t.held++
	}
	t.loss.Add(stats.QuantileLoss(quantile, bound, actual))
	t.mean.Add(bound)
}

// Result returns the scores of the jobs so far; nil if quantile is 0.
func (t *RunTimeBoundTally) Result(quantile float64) *RunTimeBound {
	if math.IsNaN(quantile) {
		return nil
	}
	return &RunTimeBound{quantile, stats.Number(ratio(t.held, t.jobs)), stats.Number(t.loss.Mean()), stats.Number(t.mean.Mean())}
}
