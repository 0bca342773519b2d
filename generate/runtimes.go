package generate

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// runTimer draws the run times of one class. Lublin and Feitelson (2003),
// section 3.2; the program's order of draws.
type runTimer struct {
	stream     stream
	law        dist.HyperGamma // of ln of the run time
	line       model.Line
	first      dist.Law      // of seconds, in place of law, if not nil
	second     dist.Law      // beside first, if not nil
	speedup    model.Speedup // by work and speedup, in place of law, if not nil
	maxLn      float64
	maxSeconds float64 // of laws of seconds
	work       model.Work
	exact      bool
}

func newRunTimer(c model.Class, o Options) runTimer {
	r := runTimer{stream: newStream(o.Seed, partRunTimes, c.Name), exact: o.Exact}
	switch t := c.RunTimes.(type) {
	case model.LnRunTimes:
		r.law, r.line, r.maxLn = t.Law, t.Line, limitLn(t.MaxLn, o)
	case model.SecondsRunTimes:
		r.first, r.second, r.line, r.maxSeconds = t.First, t.Second, t.Line, limitSeconds(t.Max, o)
	case model.WorkRunTimes:
		r.speedup, r.work, r.maxLn = t.Speedup, *c.Work, limitLn(t.MaxLn, o)
		if o.Exact {
			r.work.MaxLn = model.MaxLnWork
		}
	}
	return r
}

// limitLn is where a law of ln t is cut.
func limitLn(maxLn float64, o Options) float64 {
	if o.Exact {
		return model.MaxLnLimit
	}
	return maxLn
}

// draw returns a run time in seconds. What is too long is drawn again, choice
// of the law and value both.
func (r *runTimer) draw(rng *rand.Rand, size int64) float64 {
	switch {
	case r.first != nil:
		return r.round(r.drawSeconds(rng, size))
	case r.speedup != nil:
		return r.round(r.drawWork(rng, size))
	}
	law := r.law
	law.P = r.line.P(size)
	for {
		ln := law.Rand(rng)
		switch {
		case ln > r.maxLn:
		case r.exact:
			return math.Exp(ln)
		default:
			return math.Floor(math.Exp(ln))
		}
	}
}

// round rounds down to whole seconds. A time below one second, which Lublin's
// laws do not have, becomes one: in a log, 0 s is a job that did not run.
func (r *runTimer) round(t float64) float64 {
	if r.exact {
		return t
	}
	return max(1, math.Floor(t))
}

func (r *runTimer) drawSeconds(rng *rand.Rand, size int64) float64 {
	for {
		law := r.first
		if r.second != nil && rng.Float64() >= r.line.P(size) {
			law = r.second
		}
		if t := law.Rand(rng); t <= r.maxSeconds {
			return t
		}
	}
}

// drawWork draws the total work and divides it by the speedup.
func (r *runTimer) drawWork(rng *rand.Rand, size int64) float64 {
	s := r.speedup.At(size)
	limit := min(r.work.MaxLn, r.maxLn+math.Log(s))
	for {
		if ln := r.work.Law.Rand(rng); ln <= limit {
			return math.Exp(ln) / s
		}
	}
}
