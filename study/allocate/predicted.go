package allocate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Forecast is a prediction behind a decision, with the actual wait.
type Forecast struct {
	Job       int     // its number among the workload's
	Time      float64 // s, of the decision
	Free      int     // processors that were free
	Wanted    int     // total processors whose wait was predicted
	Rebels    bool    // whether the job waits for them
	Raw       float64 // s, the prediction
	Predicted float64 // s, the prediction that was used: corrected under Unbiased
	Actual    float64 // s, until the processors were free, or would have been if the job had waited
}

// forecaster is the chooser of pred and bias.
type forecaster struct {
	risk         float64
	internalised bool
	outlook      outlook
	line         *biasLine // nil for pred

	memo  []float64 // predictions of this moment, by processors needed; 0 is none yet
	notes []Forecast
}

func newForecaster(s Strategy, law dist.UniformLog) *forecaster {
	f := &forecaster{risk: s.RiskAversion, internalised: s.Internalised, outlook: outlook{law: law}}
	if s.Foresight == Unbiased {
		f.line = new(biasLine)
	}
	return f
}

// raw is the prediction before it is corrected.
func (f *forecaster) raw(needed int) float64 {
	if f.memo[needed] == 0 {
		f.memo[needed] = f.outlook.wait(needed)
	}
	return f.memo[needed]
}

// corrected is the prediction as it is used.
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
	most := limit - v.free // processors needed at most
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
	// The second span first: it often has the best, which cuts the first short.
	split := min(f.outlook.alone(), most)
	s.span(1, split)
	s.span(split+1, most)
	if s.needed == 0 { // no prediction at all
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

// search finds the number of processors, beyond those that are free, with the
// least wait and run time, the fewest among equals; run times do not rise with
// the number, and waits do not fall within a span.
type search struct {
	wait, run func(needed int) float64
	best      float64
	needed    int // 0 where nothing is below the best that was given
}

// span looks from low to high. What costs no less even with the wait of its
// lower end and the run time of its upper one is passed over.
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

// between looks between two numbers that have been tried; wait is the lower's.
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
// predictions whose outcome is known by now: as predict.Unbiased, which learns
// what heads of a queue have waited. Here the outcome is known when the jobs
// that ran at the decision have freed the processors, whether the one that
// decided waited for them or not: what runs ends in the open.
type biasLine struct {
	line    stats.Correlation
	waiting heap.Times[outcome] // by when they are known
}

// outcome is a prediction that will be known to be right or wrong.
type outcome struct{ predicted, actual float64 } // logarithms

// linesFrom is how many outcomes there are before a prediction is corrected.
const linesFrom = 30

func (b *biasLine) correct(predicted float64) float64 {
	n, slope, intercept := b.line.N(), b.line.Slope(), b.line.Intercept()
	if n < linesFrom || !(slope > 0) || math.IsInf(predicted, 1) {
		return predicted
	}
	return min(max(math.Exp(intercept+float64(slope*math.Log(predicted))), predict.Shortest), predict.Longest)
}

// expect notes a prediction and when its outcome will be known.
func (b *biasLine) expect(at, predicted, actual float64) {
	if !(actual > 0) || math.IsInf(predicted, 1) { // no prediction
		return
	}
	b.waiting.Push(heap.Time[outcome]{At: at, Value: outcome{math.Log(predicted), math.Log(actual)}})
}

// learn enters what is known by now.
func (b *biasLine) learn(now float64) {
	for len(b.waiting) > 0 && b.waiting[0].At <= now {
		x := b.waiting.Pop().Value
		b.line.Add(x.predicted, x.actual)
	}
}
