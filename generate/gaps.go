package generate

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// gaps is the law of the interarrival times of one class before the cycles
// shape them, in seconds, by one of three ways.
type gaps struct {
	law   dist.Gamma // of ln of the interarrival time
	maxLn float64

	seconds    dist.Law // in place of law, if not nil
	maxSeconds float64

	bursts model.Bursts // in place of both, if not nil
	mean   float64      // s
}

func newGaps(a model.Arrivals, o Options) gaps {
	g := gaps{bursts: a.Bursts}
	switch of := a.Gaps.(type) {
	case model.LnGaps:
		g.law, g.maxLn = of.Law(), limitLn(of.MaxLn, o)
	case model.SecondsGaps:
		g.seconds, g.maxSeconds = of.Law, limitSeconds(of.Max, o)
	}
	if g.bursts != nil {
		g.mean = a.Gap()
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

// modulation is the state of a Markov-modulated Poisson process.
type modulation struct {
	begun bool
	quiet bool
	left  float64 // mean interarrival times until it switches
}

// draw returns an interarrival time.
func (g *gaps) draw(rng *rand.Rand, m *modulation) float64 {
	switch b := g.bursts.(type) {
	case model.GammaRenewal:
		return g.mean * dist.Gamma{Shape: 1 / b.Index, Scale: b.Index}.Rand(rng)
	case model.MMPP:
		return g.mean * m.next(b, rng)
	}
	if g.seconds != nil {
		return drawCut(g.seconds, g.maxSeconds, rng)
	}
	return math.Exp(lnGap(g.law, g.maxLn, rng))
}

// next returns the time to the next arrival, in mean interarrival times.
func (m *modulation) next(b model.MMPP, rng *rand.Rand) float64 {
	if !m.begun {
		// In the long run it is in either state half of the time.
		m.begun, m.quiet, m.left = true, rng.Float64() < 0.5, b.Switching*rng.ExpFloat64()
	}
	swing := b.Swing()
	for passed := 0.0; ; {
		rate := 1 + swing
		if m.quiet {
			rate = 1 - swing
		}
		if wait := rng.ExpFloat64() / rate; wait < m.left {
			m.left -= wait
			return passed + wait
		}
		passed += m.left
		m.quiet, m.left = !m.quiet, b.Switching*rng.ExpFloat64()
	}
}
