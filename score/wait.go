package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// secondsPerMinute turns seconds into the papers' minutes.
const secondsPerMinute = 60

// WaitTally accumulates predictions of waits: points, or upper bounds. The zero value is
// one of points, and empty.
type WaitTally struct {
	// Quantile is the share of waits that the bounds are to cover, in (0, 1); 0 for points.
	Quantile float64

	points               points
	logs                 stats.Correlation // of ln predicted, ln actual; of points
	nonZero, nonZeroHeld int               // bounded jobs that waited
	loss                 BoundLossTally
	tightness            TightnessTally
}

// WaitPoints contains the scores that point predictions and upper bounds of
// waits have in common. An undefined score is NaN.
type WaitPoints struct {
	Jobs      int `json:"jobs" show:"jobs" in:"[0,)"`
	Predicted int `json:"predicted" show:"predicted" narrow:"2" in:"[0,)"` // jobs that had a prediction, or a bound

	// Coverage is in [0, 1]. For point predictions it is Predicted over Jobs.
	// For bounds it is the share of the jobs with a bound whose wait does not
	// exceed it, to be compared with the requested quantile.
	Coverage stats.Number `json:"coverage" better:"near" in:"[0,1]" baseline:"" help:"share of jobs with a prediction; of bounds, share of waits covered"`
	// NonZeroCoverage is the coverage of bounds over the jobs that waited at
	// all. Jobs that start at once are covered by any bound and make Coverage
	// look better than it is.
	NonZeroCoverage stats.Number `json:"coverage_nonzero"`

	MeanAccuracy
	AbsoluteErrorMean stats.Number `json:"absolute_error_mean_min" show:"mean abs. error,min" better:"low" help:"mean absolute error"` // in minutes, unlike RunTime's

	// The shares of the predicted jobs whose prediction or bound was below the
	// actual wait, equal to it, and above it: %, together 100. Sonmez and
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
	// The least-squares line ln actual = BiasIntercept + BiasSlope ln predicted,
	// times in seconds; 0 and 1 (in this order) where there is no bias. Downey (1997),
	// processor allocation, section 5.4.
	BiasSlope     stats.Number `json:"bias_slope"`
	BiasIntercept stats.Number `json:"bias_intercept"`
}

// Wait contains the scores of predicted waits. AccuracyMean and AbsoluteErrorMean are those
// of a bound as a prediction. Of points NonZeroCoverage, Tightness and BoundLoss are NaN, of
// bounds LogFit.
type Wait struct {
	WaitPoints
	LogFit
	Tightness
	BoundLoss
}

// Add enters one job: its predicted wait, or the bound of it, NaN where there was none,
// and its actual one, both in seconds. An infinite prediction is none. A job
// whose actual wait is unknown is not counted.
func (t *WaitTally) Add(predicted, actual float64) {
	if _, ok := t.points.add(predicted, actual); !ok {
		return
	}
	if t.Quantile == 0 {
		if predicted > 0 && actual > 0 {
			t.logs.Add(math.Log(predicted), math.Log(actual))
		}
		return
	}
	t.loss.Quantile = t.Quantile
	t.loss.Add(predicted, actual)
	t.tightness.Add(predicted, actual)
	if actual > 0 {
		t.nonZero++
		if actual <= predicted {
			t.nonZeroHeld++
		}
	}
}

// Result returns the scores of the jobs so far.
func (t *WaitTally) Result() Wait {
	w := Wait{t.points.wait(), LogFit{
		LogPairs:       t.logs.N(),
		CorrelationLog: stats.Number(t.logs.R()),
		BiasSlope:      stats.Number(t.logs.Slope()),
		BiasIntercept:  stats.Number(t.logs.Intercept()),
	}, t.tightness.Result(), t.loss.Result()}
	w.Coverage = stats.Number(ratio(w.Predicted, w.Jobs))
	if t.Quantile > 0 {
		w.Coverage = stats.Number(ratio(t.points.perfect+t.points.over, w.Predicted))
		w.NonZeroCoverage = stats.Number(ratio(t.nonZeroHeld, t.nonZero))
	}
	return w
}

// wait returns the scores but for the two coverages.
func (p *points) wait() WaitPoints {
	n := p.predicted()
	return WaitPoints{
		Jobs: p.jobs, Predicted: n, NonZeroCoverage: stats.Number(math.NaN()),
		MeanAccuracy:      MeanAccuracy{stats.Number(p.accuracy.Mean())},
		AbsoluteErrorMean: stats.Number(p.miss.Mean() / secondsPerMinute),
		UnderPct:          stats.Number(100 * ratio(p.under, n)),
		PerfectPct:        stats.Number(100 * ratio(p.perfect, n)),
		OverPct:           stats.Number(100 * ratio(p.over, n)),
	}
}

// points accumulates what every kind of prediction is scored by.
type points struct {
	jobs                 int
	under, perfect, over int
	accuracy             stats.Moments
	miss                 stats.Moments // absolute error, s
}

// MeanAccuracy is the mean of the accuracies of predictions (stats.Accuracy).
type MeanAccuracy struct {
	AccuracyMean stats.Number `json:"accuracy_mean" show:"accuracy,%.4f" better:"high" in:"[0,1]" baseline:"" help:"mean accuracy of predictions"`
}

// add enters a job and returns the absolute error of its prediction; false
// where it has none, or there is nothing to compare it with.
func (p *points) add(predicted, actual float64) (miss float64, ok bool) {
	if !finite(actual) {
		return 0, false
	}
	p.jobs++
	if !finite(predicted) {
		return 0, false
	}
	switch {
	case predicted < actual:
		p.under++
	case predicted > actual:
		p.over++
	default:
		p.perfect++
	}
	miss = math.Abs(predicted - actual)
	p.accuracy.Add(stats.Accuracy(predicted, actual))
	p.miss.Add(miss)
	return miss, true
}

func (p *points) predicted() int { return p.under + p.perfect + p.over }

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// ratio is NaN of nothing.
func ratio(part, whole int) float64 { return float64(part) / float64(whole) }

// BoundLossTally accumulates the quantile loss and the median of upper bounds
// of waits.
type BoundLossTally struct {
	Quantile float64 // of the waits that the bounds predict, in (0, 1)

	loss    stats.Moments
	heights stats.Distribution
}

// BoundLoss is the mean stats.QuantileLoss and the median bound, over the jobs that have
// a bound. NaN of none.
type BoundLoss struct {
	QuantileLoss stats.Number `json:"pinball_loss_min" metric:"bound_pinball_loss_seconds" show:"pinball loss,min" better:"low" in:"[0,) or null" baseline:""`
	BoundMedian  stats.Number `json:"bound_median_min" show:"median bound,min" narrow:"3"`
}

// Add enters one job: the bound of its wait, NaN where there was none, and its
// actual wait, both in seconds.
func (t *BoundLossTally) Add(bound, actual float64) {
	if !finite(bound) || !finite(actual) {
		return
	}
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
	ratios stats.Distribution
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
	t.ratios.Add(bound / actual)
	if bound > 0 {
		t.logs.Add(math.Log(bound / actual))
	}
}

// Result returns the scores of the jobs so far.
func (t *TightnessTally) Result() Tightness {
	return Tightness{stats.Number(t.ratios.Quantile(0.5)), stats.Number(math.Exp(t.logs.Mean()))}
}
