package score

import (
	"cmp"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// KeptErrors is the default number of predictions that a RunTimeTally keeps for exact
// quantiles and distribution functions, in 4 MiB.
const KeptErrors = 1 << 18

// RunTimeTally accumulates predictions of run times. The zero value is empty.
type RunTimeTally struct {
	// Keep is the largest number of predictions that are kept for exact
	// quantiles and distribution functions; with more, they are approximate, as
	// reported by MedianMethod and DistributionMethod. 0 means KeptErrors.
	Keep int

	jobs       int
	sums       runTimeSums
	block      []runTimePair // not yet included in the fields below and in sums
	absolute   stats.Distribution
	hundredths [accuracyParts + 1]int // number of predictions with an accuracy above (k-1)/100 and up to k/100
}

type runTimePair struct{ predicted, actual float64 }

// RunTime contains the scores of predicted run times. An undefined score, such
// as the mean of no jobs, is NaN. Errors are in seconds; those of WaitPoints
// are in minutes.
type RunTime struct {
	Jobs      int          `json:"jobs" show:"jobs" narrow:"2" in:"[0,)"`
	Predicted int          `json:"predicted" show:"predicted" narrow:"1" in:"[0,)"`                      // jobs that had a prediction
	Coverage  stats.Number `json:"coverage" show:"coverage,%.4f" help:"share of jobs with a prediction"` // Predicted over Jobs, in [0, 1]

	MeanAccuracy
	AbsoluteErrorMean   stats.Number `json:"absolute_error_mean_s" show:"mean abs. error,s" narrow:"8" better:"low" help:"mean absolute error"`  // s
	AbsoluteErrorMedian stats.Number `json:"absolute_error_median_s" show:"median error,s" narrow:"4" better:"low" help:"median absolute error"` // s
	// MedianMethod describes how the median was computed: "exact", or by a sketch
	// with the given relative error.
	MedianMethod string `json:"absolute_error_median_method" csv:"-"`
}

// Add adds one job: its predicted run time, NaN if there was no prediction, and its
// actual run time, both in seconds. An infinite prediction counts as none. A job whose
// actual run time is NaN or infinite is not counted.
func (t *RunTimeTally) Add(predicted, actual float64) {
	if !finite(actual) {
		return
	}
	t.jobs++
	if !finite(predicted) {
		return
	}
	t.block = append(t.block, runTimePair{predicted, actual})
	// Working in blocks keeps a tally's data in the cache, however many tallies there are.
	if len(t.block) >= settleBlock {
		t.settle()
	}
}

const settleBlock = 512

// Jobs returns the number of jobs added.
func (t *RunTimeTally) Jobs() int { return t.jobs }

// Result returns the scores of the jobs so far.
func (t *RunTimeTally) Result() RunTime {
	t.settle()
	s := &t.sums
	return RunTime{
		Jobs:                t.jobs,
		Predicted:           s.predicted(),
		Coverage:            stats.Number(ratio(s.predicted(), t.jobs)),
		MeanAccuracy:        MeanAccuracy{stats.Number(s.mean(s.accuracy))},
		AbsoluteErrorMean:   stats.Number(s.mean(s.absolute)),
		AbsoluteErrorMedian: stats.Number(t.absolute.Quantile(0.5)),
		MedianMethod:        t.absolute.Method(),
	}
}

// RunTimeDetail contains scores of run time predictions in addition to those
// of RunTime. They are over the jobs that had a prediction; an undefined score
// is NaN.
type RunTimeDetail struct {
	// Accurate is the share of predictions whose accuracy is above 0.9, in [0,
	// 1] (Sonmez and others 2009, section 3.3).
	Accurate stats.Number `json:"accuracy_above_0_9"`

	AbsoluteErrorQ25 stats.Number `json:"absolute_error_q25_s"` // s
	AbsoluteErrorQ75 stats.Number `json:"absolute_error_q75_s"` // s
	AbsoluteErrorQ90 stats.Number `json:"absolute_error_q90_s"` // s
	AbsoluteErrorQ99 stats.Number `json:"absolute_error_q99_s"` // s

	Bias stats.Number `json:"bias_s"` // mean of predicted minus actual, s

	// RelativeErrorMean is the mean of the absolute error divided by the actual run
	// time, over jobs with a run time above 0. A few short jobs dominate it.
	RelativeErrorMean stats.Number `json:"relative_error_mean"`

	// LogErrorMean is the mean of |ln(predicted/actual)|, and LogBias that of
	// ln(predicted/actual), over the LogPairs predictions where both times are above
	// 0. exp(LogErrorMean) is the geometric mean factor by which predictions miss.
	LogErrorMean stats.Number `json:"log_error_mean"`
	LogBias      stats.Number `json:"log_bias"`
	LogPairs     int          `json:"log_pairs"`

	// The shares of predictions below the actual run time, equal to it, and
	// above it, in %; they add up to 100.
	UnderPct   stats.Number `json:"under_pct" show:"under,%" narrow:"5"`
	PerfectPct stats.Number `json:"perfect_pct"`
	OverPct    stats.Number `json:"over_pct"`

	// DistributionMethod describes how quantiles were computed: "exact", or by a sketch
	// with the given error.
	DistributionMethod string `json:"distribution_method" csv:"-"`
}

// Detail returns all scores of the jobs so far.
func (t *RunTimeTally) Detail() (RunTime, RunTimeDetail) {
	whole, s, q := t.Result(), &t.sums, func(p float64) stats.Number { return stats.Number(t.absolute.Quantile(p)) }
	share := func(n int) stats.Number { return stats.Number(100 * ratio(n, s.predicted())) }
	return whole, RunTimeDetail{
		Accurate:           stats.Number(1 - ratio(t.accuracyAtMost(90), s.predicted())),
		AbsoluteErrorQ25:   q(0.25),
		AbsoluteErrorQ75:   q(0.75),
		AbsoluteErrorQ90:   q(0.9),
		AbsoluteErrorQ99:   q(0.99),
		Bias:               stats.Number(s.mean(s.signed)),
		RelativeErrorMean:  stats.Number(s.relative / float64(s.relativeN)),
		LogErrorMean:       stats.Number((s.logUnder + s.logOver) / float64(s.logN)),
		LogBias:            stats.Number((s.logOver - s.logUnder) / float64(s.logN)),
		LogPairs:           s.logN,
		UnderPct:           share(s.under),
		PerfectPct:         share(s.perfect),
		OverPct:            share(s.over),
		DistributionMethod: whole.MedianMethod,
	}
}

// runTimeSums contains counts of predictions and sums over them.
type runTimeSums struct {
	under, perfect, over int
	accuracy             float64
	absolute, signed     float64 // of predicted minus actual, s
	relativeN            int     // jobs with a run time above 0
	relative             float64 // of the absolute error divided by the actual run time
	logN                 int     // predictions with both times above 0
	logUnder, logOver    float64 // of |ln(predicted/actual)|
}

func (s *runTimeSums) predicted() int { return s.under + s.perfect + s.over }

func (s *runTimeSums) mean(sum float64) float64 { return sum / float64(s.predicted()) }

// settle adds the block to the sums. Separate sums for a block keep rounding errors small;
// logarithms are taken of products, so only a few are needed for each block.
func (t *RunTimeTally) settle() {
	if t.sums.predicted()+len(t.block) > cmp.Or(t.Keep, KeptErrors) { // few errors are equal, so keeping distinct values would not pay
		t.absolute.Bucket()
	}
	var b runTimeSums
	under, over := product{1, 0}, product{1, 0}
	for _, p := range t.block {
		e := p.predicted - p.actual
		a := 1.0
		switch {
		case e < 0:
			b.under++
			a = stats.Accuracy(p.predicted, p.actual)
			under.times(a)
		case e > 0:
			b.over++
			a = stats.Accuracy(p.predicted, p.actual)
			over.times(a)
		default:
			b.perfect++
		}
		b.accuracy += a
		t.hundredths[hundredth(a)]++
		b.signed += e
		e = math.Abs(e)
		b.absolute += e
		t.absolute.Add(e)
		if p.actual > 0 {
			b.relativeN++
			b.relative += e / p.actual
			if p.predicted > 0 {
				b.logN++
			}
		}
	}
	s := &t.sums
	s.under += b.under
	s.perfect += b.perfect
	s.over += b.over
	s.accuracy += b.accuracy
	s.absolute += b.absolute
	s.signed += b.signed
	s.relativeN += b.relativeN
	s.relative += b.relative
	s.logN += b.logN
	s.logUnder += under.negativeLog()
	s.logOver += over.negativeLog()
	t.block = t.block[:0]
}

// product sums the logarithms of numbers in [0, 1]; zeros are left out, since they have no
// logarithm.
type product struct{ factor, logs float64 }

func (p *product) times(x float64) {
	if x == 0 {
		return
	}
	if x < 1e-100 {
		p.logs += math.Log(x)
		return
	}
	if p.factor *= x; p.factor < 1e-200 {
		p.logs += math.Log(p.factor)
		p.factor = 1
	}
}

func (p *product) negativeLog() float64 { return -(p.logs + math.Log(p.factor)) }

// RunTimeBound contains the scores of predicted quantiles of run times, over
// the jobs with such a prediction. An undefined score is NaN.
type RunTimeBound struct {
	Quantile float64 `json:"quantile" show:"quantile,full" narrow:"3"` // requested, in (0, 1)
	// Coverage is the share of the run times that do not exceed their bound,
	// to be compared with Quantile.
	Coverage     stats.Number `json:"coverage" csv:"bound_coverage" show:"covered,%.4f" narrow:"6"`
	QuantileLoss stats.Number `json:"pinball_loss_s" show:"pinball loss,s" narrow:"7" better:"low"` // mean of stats.QuantileLoss, s
	Mean         stats.Number `json:"bound_mean_s"`                                                 // s
}

// RunTimes returns the scores so far, for bounds of run times.
func (t *BoundTally) RunTimes() *RunTimeBound {
	return &RunTimeBound{t.Quantile, stats.Number(ratio(t.held, t.loss.N())), stats.Number(t.loss.Mean()), stats.Number(t.heights.Mean())}
}

// RunTimeCommon finds the jobs that all of several predictors answered, and
// accumulates the accuracies over them. Coverage differs between predictors, and
// one that answers only easy jobs has a high mean; over the common jobs the means
// are comparable. A predictor that has answered no job so far does not count, so that a
// predictor without any answer leaves the others comparable; when it answers for the first
// time, the earlier jobs are no longer common. The zero value is empty.
type RunTimeCommon struct {
	// Aside marks the predictors, by index, that Add ignores; nil for none. It
	// may change between calls.
	Aside []bool

	answered []bool // predictors that count and have answered
	jobs     int
	accuracy []float64 // sums, one for each predictor
}

// CommonJob reports whether a job is common to all predictors.
type CommonJob struct {
	All   bool // all predictors answered it
	Voids bool // a predictor answered for the first time: no earlier job is common
}

// Add adds one job: the prediction of each predictor, with Seconds NaN if it
// made none, and the actual run time in seconds. The number of predictions must
// be the same in each call.
func (c *RunTimeCommon) Add(predictions []workload.Prediction, actual float64) CommonJob {
	if !finite(actual) {
		return CommonJob{}
	}
	if c.answered == nil {
		c.answered, c.accuracy = make([]bool, len(predictions)), make([]float64, len(predictions))
	}
	job, some := CommonJob{All: true}, false
	for i, p := range predictions {
		switch {
		case c.Aside != nil && c.Aside[i]:
		case !finite(p.Seconds):
			job.All = job.All && !c.answered[i]
		default:
			job.Voids = job.Voids || !c.answered[i]
			c.answered[i], some = true, true
		}
	}
	job.All = job.All && some
	if job.Voids {
		c.jobs = 0
		clear(c.accuracy)
	}
	if job.All {
		c.jobs++
		for i, p := range predictions {
			if c.answered[i] {
				c.accuracy[i] += stats.Accuracy(p.Seconds, actual)
			}
		}
	}
	return job
}

// Jobs returns the number of jobs that all predictors answered.
func (c *RunTimeCommon) Jobs() int { return c.jobs }

// Answered reports whether a predictor has predicted any job while it was not set
// aside.
func (c *RunTimeCommon) Answered(predictor int) bool {
	return c.answered != nil && c.answered[predictor]
}

// AccuracyMean returns a predictor's mean accuracy over the common jobs; NaN if
// there are none or the predictor does not count.
func (c *RunTimeCommon) AccuracyMean(predictor int) float64 {
	if !c.Answered(predictor) {
		return ratio(0, 0)
	}
	return c.accuracy[predictor] / float64(c.jobs)
}
