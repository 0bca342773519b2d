package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// BoundLossTally accumulates the quantile loss and the median of upper bounds
// of waits.
type BoundLossTally struct {
	Quantile float64 // of the waits that the bounds predict, in (0, 1)

	loss    stats.Moments
	heights stats.Quantiles
}

// BoundLoss is the mean stats.QuantileLoss and the median bound, over the jobs that have
// a bound. NaN of none.
type BoundLoss struct {
	QuantileLoss stats.Number `json:"pinball_loss_min" metric:"bound_pinball_loss_seconds" show:"pinball loss,min" better:"low" in:"[0,) or null" sums:"loss"`
	BoundMedian  stats.Number `json:"bound_median_min" show:"median bound,min" narrow:"3"`
}

// Add enters one job: the bound of its wait, NaN where there was none, and its
// actual wait, both in seconds.
func (t *BoundLossTally) Add(bound, actual float64) {
	if !finite(bound) || !finite(actual) {
		return
	}
	t.heights.Exact = KeptErrors // beyond, the median is from a sketch
	t.loss.Add(stats.QuantileLoss(t.Quantile, bound, actual))
	t.heights.Add(bound)
}

// Result returns the scores of the jobs so far.
func (t *BoundLossTally) Result() BoundLoss {
	return BoundLoss{inMinutes(t.loss.Mean()), inMinutes(t.heights.Quantile(0.5))}
}

// TightnessTally accumulates the ratios of bounds to waits. The zero value is
// empty.
type TightnessTally struct {
	ratios stats.Quantiles
	logs   stats.Moments
}

// Tightness is the ratio of bound to wait over the jobs that have a bound and
// waited: the median and, over the jobs whose bound is above 0, the geometric mean. Of two
// predictors with sufficient coverage, the one with the smaller ratio is better.
type Tightness struct {
	TightnessMedian stats.Number `json:"tightness_median" help:"median of bound over wait"`
	TightnessMean   stats.Number `json:"tightness_geometric_mean"`
}

// Add enters one job: the bound of its wait, NaN where there was none, and its
// actual wait, both in seconds.
func (t *TightnessTally) Add(bound, actual float64) {
	if !finite(bound) || !finite(actual) || actual <= 0 {
		return
	}
	t.ratios.Exact = KeptErrors // beyond, the median is from a sketch
	t.ratios.Add(bound / actual)
	if bound > 0 {
		t.logs.Add(math.Log(bound / actual))
	}
}

// Result returns the scores of the jobs so far.
func (t *TightnessTally) Result() Tightness {
	return Tightness{stats.Number(t.ratios.Quantile(0.5)), stats.Number(math.Exp(t.logs.Mean()))}
}
