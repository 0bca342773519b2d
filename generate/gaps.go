package generate

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// gaps is the law of the interarrival times of one class before the cycles
// shape them, in seconds, by one of two ways.
type gaps struct {
	law   dist.Gamma // of ln of the interarrival time
	maxLn float64

	seconds    dist.Law // in place of law, if not nil
	maxSeconds float64
}

func newGaps(a model.Arrivals, o Options) gaps {
	var g gaps
	switch of := a.Gaps.(type) {
	case model.LnGaps:
		g.law, g.maxLn = of.Law(), limitLn(of.MaxLn, o)
	case model.SecondsGaps:
		g.seconds, g.maxSeconds = of.Law, limitSeconds(of.Max, o)
	}
	return g
}

// limitSeconds is where a law of seconds is cut; +Inf for not at all.
func limitSeconds(max float64, o Options) float64 {
	switch {
	case o.Exact:
		return model.MaxSecondsLimit
	case max == 0:
		return math.Inf(1)
	}
	return max
}

// lnGap draws ln of an interarrival time of a Gamma law.
func lnGap(law dist.Gamma, maxLn float64, rng *rand.Rand) float64 {
	ln := law.Rand(rng)
	for ln > maxLn {
		ln = law.Rand(rng)
	}
	return ln
}

// drawCut draws a value of at most max.
func drawCut(l dist.Law, max float64, rng *rand.Rand) float64 {
	x := l.Rand(rng)
	for x > max {
		x = l.Rand(rng)
	}
	return x
}

// draw returns an interarrival time.
func (g *gaps) draw(rng *rand.Rand) float64 {
	if g.seconds != nil {
		return drawCut(g.seconds, g.maxSeconds, rng)
	}
	return math.Exp(lnGap(g.law, g.maxLn, rng))
}
