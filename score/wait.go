package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// secondsPerMinute converts seconds into minutes, in which the papers score waits.
const secondsPerMinute = 60

// WaitTally accumulates predictions of waits: points, or upper bounds. The zero value is
// an empty tally of points.
type WaitTally struct {
	// Quantile is the share of waits that the bounds should cover, in (0, 1); 0 for points.
	Quantile float64

	jobs                 int
	under, perfect, over int // numbers of predictions below, equal to and above the wait
	accuracy             stats.Moments
	miss                 stats.Moments     // absolute error, s
	logs                 stats.Correlation // of ln predicted and ln actual, for points
	bounds               WaitBoundTally

	// Jobs with a bound and a wait above 0.
	nonZero, nonZeroHeld int
	ratios               stats.Distribution // bound divided by wait
	ratioLogs            stats.Moments
}

// WaitPoints contains the scores that point predictions and upper bounds of
// waits have in common. An undefined score is NaN.
type WaitPoints struct {
	Jobs      int `json:"jobs" show:"jobs" in:"[0,)"`
	Predicted int `json:"predicted" show:"predicted" narrow:"2" in:"[0,)"` // jobs with a prediction or a bound

	// Coverage is in [0, 1]. For point predictions it is Predicted / Jobs.
	// For bounds it is the share of the jobs with a bound whose wait does not
	// exceed it, to be compared with the requested quantile.
	Coverage stats.Number `json:"coverage" better:"near" in:"[0,1]" baseline:"" help:"share of jobs with a prediction; of bounds, share of waits covered"`
	// NonZeroCoverage is the coverage of bounds over the jobs with a wait above 0.
	// Jobs that start at once are covered by any bound and make Coverage look
	// better than it is.
	NonZeroCoverage stats.Number `json:"coverage_nonzero"`

	MeanAccuracy
	AbsoluteErrorMean stats.Number `json:"absolute_error_mean_min" show:"mean abs. error,min" better:"low" help:"mean absolute error"` // in minutes, unlike RunTime's

	// The shares of the predicted jobs whose prediction or bound was below the
	// actual wait, equal to it, and above it, in %; they add up to 100. Sonmez and
	// others (2009), table 3.
	UnderPct   stats.Number `json:"under_pct" show:"under,%" narrow:"1"`
	PerfectPct stats.Number `json:"perfect_pct"`
	OverPct    stats.Number `json:"over_pct"`
}

// LogFit relates the logarithms of predicted and actual waits, over the jobs
// for which both are above 0.
type LogFit struct {
	LogPairs int `json:"-"` // jobs whose predicted and actual wait are both above 0
	// CorrelationLog is the correlation coefficient of ln predicted and
	// ln actual, in [-1, 1]: the CC of Downey (1997).
	CorrelationLog stats.Number `json:"correlation_log" show:"correlation of logs,%.3f" narrow:"4" better:"high" in:"[-1,1] or null" baseline:"" help:"correlation of the logarithms of predicted and actual waits"`
	// The least-squares line ln actual = BiasIntercept + BiasSlope ln predicted, with
	// times in seconds. Without bias, BiasSlope is 1 and BiasIntercept 0. Downey (1997),
	// "Using queue time predictions for processor allocation", section 5.4.
	BiasSlope     stats.Number `json:"bias_slope"`
	BiasIntercept stats.Number `json:"bias_intercept"`
}

// Tightness describes the ratio of bound to wait over the jobs with a bound and a wait above
// 0: the median and, over the jobs whose bound is also above 0, the geometric mean. Of two
// predictors with sufficient coverage, the one with the smaller ratio is better.
type Tightness struct {
	TightnessMedian stats.Number `json:"tightness_median" help:"median of bound over wait"`
	TightnessMean   stats.Number `json:"tightness_geometric_mean"`
}

// Wait contains the scores of predicted waits. AccuracyMean and AbsoluteErrorMean of a bound
// treat it as a prediction. For points, NonZeroCoverage, Tightness and BoundLoss are NaN; for
// bounds, LogFit is.
type Wait struct {
	WaitPoints
	LogFit
	Tightness
	BoundLoss
}

// Add adds one job: its predicted wait or the bound of it, NaN if there was none, and its
// actual wait, both in seconds. An infinite prediction counts as none. A job whose
// actual wait is NaN or infinite is not counted.
func (t *WaitTally) Add(predicted, actual float64) {
	if !finite(actual) {
		return
	}
	t.jobs++
	if !finite(predicted) {
		return
	}
	switch {
	case predicted < actual:
		t.under++
	case predicted > actual:
		t.over++
	default:
		t.perfect++
	}
	t.accuracy.Add(stats.Accuracy(predicted, actual))
	t.miss.Add(math.Abs(predicted - actual))
	if t.Quantile > 0 {
		t.addBound(predicted, actual)
	} else if predicted > 0 && actual > 0 {
		t.logs.Add(math.Log(predicted), math.Log(actual))
	}
}

func (t *WaitTally) addBound(bound, actual float64) {
	t.bounds.Quantile = t.Quantile
	t.bounds.Add(bound, actual)
	if actual <= 0 {
		return
	}
	t.nonZero++
	if actual <= bound {
		t.nonZeroHeld++
	}
	t.ratios.Add(bound / actual)
	if bound > 0 {
		t.ratioLogs.Add(math.Log(bound / actual))
	}
}

// Result returns the scores of the jobs so far.
func (t *WaitTally) Result() Wait {
	n := t.under + t.perfect + t.over
	share := func(of int) stats.Number { return stats.Number(100 * ratio(of, n)) }
	w := Wait{
		WaitPoints{
			Jobs: t.jobs, Predicted: n, Coverage: stats.Number(ratio(n, t.jobs)), NonZeroCoverage: stats.Number(ratio(t.nonZeroHeld, t.nonZero)),
			MeanAccuracy: MeanAccuracy{stats.Number(t.accuracy.Mean())}, AbsoluteErrorMean: inMinutes(t.miss.Mean()),
			UnderPct: share(t.under), PerfectPct: share(t.perfect), OverPct: share(t.over),
		},
		LogFit{t.logs.N(), stats.Number(t.logs.R()), stats.Number(t.logs.Slope()), stats.Number(t.logs.Intercept())},
		Tightness{stats.Number(t.ratios.Quantile(0.5)), stats.Number(math.Exp(t.ratioLogs.Mean()))},
		t.bounds.Loss(),
	}
	if t.Quantile > 0 {
		w.Coverage = stats.Number(ratio(t.perfect+t.over, n))
	}
	return w
}

// MeanAccuracy is the mean of the accuracies of predictions (stats.Accuracy).
type MeanAccuracy struct {
	AccuracyMean stats.Number `json:"accuracy_mean" show:"accuracy,%.4f" better:"high" in:"[0,1]" baseline:"" help:"mean accuracy of predictions"`
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// ratio returns part / whole; NaN if both are 0.
func ratio(part, whole int) float64 { return float64(part) / float64(whole) }

// BoundTally accumulates upper bounds of waits, or of run times.
type BoundTally struct {
	Quantile float64 // quantile of the times that the bounds predict, in (0, 1)

	held          int // bounds that were not exceeded
	loss, heights stats.Moments
}

// WaitBoundTally accumulates upper bounds of waits, including their median.
type WaitBoundTally struct {
	BoundTally
	quantiles stats.Distribution // of the bounds
}

// BoundLoss contains the mean stats.QuantileLoss and the median bound over the jobs with a
// bound, in minutes; NaN if there are none.
type BoundLoss struct {
	QuantileLoss stats.Number `json:"pinball_loss_min" metric:"bound_pinball_loss_seconds" show:"pinball loss,min" better:"low" in:"[0,) or null" baseline:""`
	BoundMedian  stats.Number `json:"bound_median_min" show:"median bound,min" narrow:"3"`
}

// Add adds one job: the bound of its time, NaN if there was none, and its actual time, both
// in seconds. It reports whether both are known; if not, the job is not counted.
func (t *BoundTally) Add(bound, actual float64) bool {
	if !finite(bound) || !finite(actual) {
		return false
	}
	if actual <= bound {
		t.held++
	}
	t.loss.Add(stats.QuantileLoss(t.Quantile, bound, actual))
	t.heights.Add(bound)
	return true
}

// Add adds one job, as BoundTally.Add does.
func (t *WaitBoundTally) Add(bound, actual float64) {
	if t.BoundTally.Add(bound, actual) {
		t.quantiles.Add(bound)
	}
}

// Loss returns the loss and the median bound of the jobs so far.
func (t *WaitBoundTally) Loss() BoundLoss {
	return BoundLoss{inMinutes(t.loss.Mean()), inMinutes(t.quantiles.Quantile(0.5))}
}
