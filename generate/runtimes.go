package generate

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/model"
)

// runTimer draws the run times of one class. Lublin and Feitelson (2003),
// section 3.2; the program's order of draws.
type runTimer struct {
	stream stream
	model  model.RunTimes
	maxLn  float64
	exact  bool
}

func newRunTimer(c model.Class, o Options) runTimer {
	return runTimer{newStream(o.Seed, partRunTimes, c.Name), c.RunTimes, limitLn(c.RunTimes.MaxLn, o), o.Exact}
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
	law := r.model.Law
	law.P = r.model.P(size)
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
