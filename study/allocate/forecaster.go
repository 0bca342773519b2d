package allocate

import "math"

// Forecast is a prediction behind a decision, with the actual wait.
type Forecast struct {
	Job       int     // its number among the study's jobs
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
	lifetimes    *lifetimes
	waits        waits
	line         *biasLine // nil for pred

	memo  []float64 // predictions of this moment, by processors needed; 0 is none yet
	notes []Forecast
	keep  bool
}

func newForecaster(s Strategy, r Rules, l *lifetimes) *forecaster {
	f := &forecaster{risk: s.RiskAversion, internalised: s.Internalised, lifetimes: l, waits: r.waits(l)}
	if s.Foresight == Unbiased {
		f.line = new(biasLine)
	}
	return f
}

// raw is the prediction before it is corrected.
func (f *forecaster) raw(needed int) float64 {
	if f.memo[needed] == 0 {
		f.memo[needed] = f.waits.wait(needed)
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
	f.waits.reset(v, f.lifetimes)
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
	f.look(&s, v.free, limit)
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
	if f.keep {
		f.notes = append(f.notes, Forecast{t.number, v.now, v.free, v.free + s.needed, rebels, f.raw(s.needed), wait, actual})
	}
	if !rebels {
		return choice{size: v.free}
	}
	return choice{size: v.free + s.needed, until: v.now + wait}
}

// look searches the numbers of processors up to the limit.
func (f *forecaster) look(s *search, free, limit int) {
	most := limit - free
	alone := f.waits.alone()
	if alone < 0 {
		for n := 1; n <= most; n++ {
			s.span(n, n)
		}
		return
	}
	// The second span first: it often has the best, which cuts the first short.
	split := min(alone, most)
	s.span(1, split)
	s.span(split+1, most)
}
