package allocate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Forecast is the prediction on which a decision is based, with the actual wait.
type Forecast struct {
	Job       int     // index of the job in the workload
	Time      float64 // time of the decision, s
	Free      int     // number of free processors
	Wanted    int     // total number of processors for which the wait was predicted
	Rebels    bool    // the job waits for them
	Raw       float64 // uncorrected prediction of the wait, s
	Predicted float64 // prediction that was used, s: corrected under Unbiased
	Actual    float64 // time until the processors were free, or would have been if the job had waited, s
}

// forecaster is the chooser of pred and bias.
type forecaster struct {
	risk         float64
	internalised bool
	outlook      outlook
	line         *biasLine // nil for pred

	memo  []float64 // predictions at this moment by needed processors; 0 if not computed yet
	notes []Forecast
}

func newForecaster(s Strategy, law dist.UniformLog) *forecaster {
	f := &forecaster{risk: s.RiskAversion, internalised: s.Internalised, outlook: outlook{law: law}}
	if s.Foresight == Unbiased {
		f.line = new(biasLine)
	}
	return f
}

// raw returns the uncorrected prediction.
func (f *forecaster) raw(needed int) float64 {
	if f.memo[needed] == 0 {
		f.memo[needed] = f.outlook.wait(needed)
	}
	return f.memo[needed]
}

// corrected returns the prediction to use.
func (f *forecaster) corrected(needed int) float64 {
	if f.line == nil {
		return f.raw(needed)
	}
	return f.line.correct(f.raw(needed))
}

func (f *forecaster) choose(t *task, v *view, limit int) choice {
	if f.line != nil {
		f.line.learn(v.now)
	}
	f.outlook.reset(v)
	most := limit - v.free // largest number of needed processors
	if cap(f.memo) < most+1 {
		f.memo = make([]float64, 2*most+1)
	}
	f.memo = f.memo[:most+1]
	clear(f.memo)
	q := 1.0
	if f.internalised {
		q = float64(v.queued)
	}
	s := search{
		wait: func(needed int) float64 { return q * f.corrected(needed) },
		run:  func(needed int) float64 { return t.run(v.free + needed) },
		best: math.Inf(1),
	}
	split := min(f.outlook.alone(), most) // waits do not decrease on either side
	s.span(1, split)
	s.span(split+1, most)
	if s.needed == 0 { // nothing can be predicted
		return choice{size: v.free}
	}
	here := t.run(v.free)
	rebels := s.best < here-float64(f.risk*here)
	wait := f.corrected(s.needed)
	actual := v.until(v.free + s.needed)
	if f.line != nil {
		f.line.expect(v.now+actual, f.raw(s.needed), actual)
	}
	f.notes = append(f.notes, Forecast{t.number, v.now, v.free, v.free + s.needed, rebels, f.raw(s.needed), wait, actual})
	if !rebels {
		return choice{size: v.free}
	}
	return choice{size: v.free + s.needed, until: v.now + wait}
}

// search finds the number of processors, in addition to the free ones, that minimises the sum
// of wait and run time, the smallest among equals. Run times must not increase with the number,
// and waits must not decrease within a span.
type search struct {
	wait, run func(needed int) float64
	best      float64
	needed    int // 0 if no number is better than the initial best
}

// span searches from low to high. It skips intervals that cannot contain a better number: those
// for which the wait at the lower end plus the run time at the upper end is not below the best.
func (s *search) span(low, high int) {
	if low > high {
		return
	}
	wait := s.wait(low)
	s.try(low, wait+s.run(low))
	if low == high || wait+s.run(high) >= s.best {
		return
	}
	s.try(high, s.wait(high)+s.run(high))
	s.between(low, high, wait)
}

// between searches between two numbers that have been tried; wait is that of the lower.
func (s *search) between(low, high int, wait float64) {
	if high-low < 2 || wait+s.run(high-1) >= s.best {
		return
	}
	mid := low + (high-low)/2
	atMid := s.wait(mid)
	s.try(mid, atMid+s.run(mid))
	s.between(low, mid, wait)
	s.between(mid, high, atMid)
}

func (s *search) try(n int, cost float64) {
	if cost < s.best || cost == s.best && s.needed > n {
		s.best, s.needed = cost, n
	}
}

// biasLine is the least-squares line of ln actual on ln predicted over the
// predictions whose outcome is known by now. It is similar to predict.Unbiased, which learns
// from the waits at the head of a queue. Here an outcome is known when the jobs
// that ran at the decision have freed the processors, whether or not the deciding job
// waited for them, since the ends of jobs can be observed.
type biasLine struct {
	line    stats.Correlation
	waiting heap.Times[outcome] // by the time at which they become known
}

// outcome is a prediction with its outcome, which becomes known later.
type outcome struct{ predicted, actual float64 } // logarithms

// linesFrom is the number of outcomes from which on predictions are corrected.
const linesFrom = 30

func (b *biasLine) correct(predicted float64) float64 {
	n, slope, intercept := b.line.N(), b.line.Slope(), b.line.Intercept()
	if n < linesFrom || !(slope > 0) || math.IsInf(predicted, 1) {
		return predicted
	}
	return min(max(math.Exp(intercept+float64(slope*math.Log(predicted))), predict.Shortest), predict.Longest)
}

// expect records a prediction whose outcome will be known at a time.
func (b *biasLine) expect(at, predicted, actual float64) {
	if !(actual > 0) || math.IsInf(predicted, 1) { // no prediction
		return
	}
	b.waiting.Push(heap.Time[outcome]{At: at, Value: outcome{math.Log(predicted), math.Log(actual)}})
}

// learn adds the outcomes that are known by now.
func (b *biasLine) learn(now float64) {
	for len(b.waiting) > 0 && b.waiting[0].At <= now {
		x := b.waiting.Pop().Value
		b.line.Add(x.predicted, x.actual)
	}
}
