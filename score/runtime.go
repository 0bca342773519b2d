package score

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// KeptErrors is how many predictions a RunTimeTally keeps for exact quantiles
// and distribution functions, unless told otherwise: 4 MiB.
const KeptErrors = 1 << 18

// RunTimeTally accumulates predictions of run times. The zero value is empty.
type RunTimeTally struct {
	// Keep is the largest number of predictions that are kept for exact
	// quantiles and distribution functions; beyond it they are approximate,
	// and the results say so. 0 means KeptErrors.
	Keep int

	jobs int
	sums runTimeSums
	// kept are predictions: all of them while exact, then those that are not
	// entered in counts yet. The first settled ones are in sums.
	kept    []runTimePair
	settled int
	counts  *runTimeCounts // nil while exact
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
	AbsoluteErrorMean   stats.Number `json:"absolute_error_mean_s" show:"mean abs. error,s" narrow:"7" better:"low" help:"mean absolute error"`  // s
	AbsoluteErrorMedian stats.Number `json:"absolute_error_median_s" show:"median error,s" narrow:"5" better:"low" help:"median absolute error"` // s
	// MedianMethod tells how the median was computed: "exact", or by a sketch
	// with the given relative error.
	MedianMethod string `json:"absolute_error_median_method" csv:"-"`
}

// Add enters one job: its predicted run time, NaN where there was no
// prediction, and its actual one, both in seconds. An infinite prediction is
// none. A job whose actual run time is unknown is not counted.
func (t *RunTimeTally) Add(predicted, actual float64) {
	if !finite(actual) {
		return
	}
	t.jobs++
	if !finite(predicted) {
		return
	}
	t.kept = append(t.kept, runTimePair{predicted, actual})
	// In blocks: one tally's numbers are then at hand while it works, however
	// many tallies there are.
	if len(t.kept)-t.settled >= settleBlock {
		t.settle()
	}
}

const settleBlock = 512

// settle enters what was only kept so far.
func (t *RunTimeTally) settle() {
	t.sums.add(t.kept[t.settled:])
	t.settled = len(t.kept)
	keep := t.Keep
	if keep == 0 {
		keep = KeptErrors
	}
	if t.counts == nil && len(t.kept) > keep {
		t.counts = &runTimeCounts{}
	}
	if t.counts != nil {
		t.counts.add(t.kept)
		if cap(t.kept) > 2*settleBlock {
			t.kept = make([]runTimePair, 0, settleBlock)
		}
		t.kept, t.settled = t.kept[:0], 0
	}
}

// Result returns the scores of the jobs so far.
func (t *RunTimeTally) Result() RunTime { return t.result(t.absoluteErrors()) }

// Jobs returns the number of jobs entered.
func (t *RunTimeTally) Jobs() int { return t.jobs }

// AccuracyMean returns RunTime.AccuracyMean without computing the other scores.
func (t *RunTimeTally) AccuracyMean() float64 {
	t.settle()
	return t.sums.mean(t.sums.accuracy)
}

func (t *RunTimeTally) result(absolute distribution) RunTime {
	t.settle()
	s := &t.sums
	return RunTime{
		Jobs:                t.jobs,
		Predicted:           s.predicted(),
		Coverage:            stats.Number(ratio(s.predicted(), t.jobs)),
		MeanAccuracy:        MeanAccuracy{stats.Number(s.mean(s.accuracy))},
		AbsoluteErrorMean:   stats.Number(s.mean(s.absolute)),
		AbsoluteErrorMedian: stats.Number(absolute.Quantile(0.5)),
		MedianMethod:        t.method(stats.RelativeError),
	}
}

// method says how quantiles are computed.
func (t *RunTimeTally) method(relative float64) string {
	if t.counts == nil {
		return "exact"
	}
	return fmt.Sprintf("sketch, relative error %g", relative)
}

// runTimeSums are sums over predictions.
type runTimeSums struct {
	under, perfect, over int
	accuracy             float64
	absolute, signed     float64 // of predicted less actual, s
	relativeN            int     // jobs that did run
	relative             float64 // of the absolute error over the actual run time
	logN                 int     // both times above 0
	logUnder, logOver    float64 // of |ln(predicted/actual)|
}

func (s *runTimeSums) predicted() int { return s.under + s.perfect + s.over }

func (s *runTimeSums) mean(sum float64) float64 { return sum / float64(s.predicted()) }

// add enters a block. Sums within a block keep rounding small; the logarithms
// are taken of products, a few a block.
func (s *runTimeSums) add(block []runTimePair) {
	var b runTimeSums
	under, over := product{1, 0}, product{1, 0}
	for _, p := range block {
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
		b.signed += e
		e = math.Abs(e)
		b.absolute += e
		if p.actual > 0 {
			b.relativeN++
			b.relative += e / p.actual
			if p.predicted > 0 {
				b.logN++
			}
		}
	}
	b.logUnder, b.logOver = under.negativeLog(), over.negativeLog()
	s.merge(&b)
}

func (s *runTimeSums) merge(o *runTimeSums) {
	s.under += o.under
	s.perfect += o.perfect
	s.over += o.over
	s.accuracy += o.accuracy
	s.absolute += o.absolute
	s.signed += o.signed
	s.relativeN += o.relativeN
	s.relative += o.relative
	s.logN += o.logN
	s.logUnder += o.logUnder
	s.logOver += o.logOver
}

// product sums the logarithms of numbers in (0, 1]; zeros, which have none, are
// left out.
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
