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

// RunTimeBound is how well predictions of a quantile of run times hold, over the jobs
// with one. A score without a value is NaN.
type RunTimeBound struct {
	Quantile float64 `json:"quantile"` // that was asked for
	// Coverage is the share of the run times that are not above their bound, to be
	// compared with Quantile.
	Coverage     stats.Number `json:"coverage"`
	QuantileLoss stats.Number `json:"pinball_loss_s"` // mean of stats.QuantileLoss, s
	Mean         stats.Number `json:"bound_mean_s"`   // s
}

// Add enters one job: the bound of its run time, NaN where there was none, and its run
// time, in seconds.
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

// Result returns the scores of the jobs so far; nil where no quantile was asked for.
func (t *RunTimeBoundTally) Result(quantile float64) *RunTimeBound {
	if math.IsNaN(quantile) {
		return nil
	}
	return &RunTimeBound{quantile, stats.Number(ratio(t.held, t.jobs)), stats.Number(t.loss.Mean()), stats.Number(t.mean.Mean())}
}
