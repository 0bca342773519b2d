package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// fitHyperErlang fits a mixture of Erlang laws, Gammas with whole shapes, to the transformed
// attribute. A hyper-Gamma is fitted, its shapes are rounded, and EM continues with fixed shapes.
// Then each shape in turn is raised and lowered by 1 as long as the likelihood after EM
// increases. In the end, no change of a single shape by 1 increases the likelihood.
func fitHyperErlang(t task) (outcome, error) { return t.erlang(fitHyperGamma(t)) }

func refitHyperErlang(t task, near dist.Law) (outcome, error) {
	return t.erlang(refitHyperGamma(t, near))
}

// mostShapes is the largest number of sets of shapes that are tried.
const mostShapes = 100

// erlang searches whole shapes around those of a fitted hyper-Gamma. It begins at the nearest
// whole numbers, with scales that keep the means, as Lublin and Feitelson (2003), section 5.2,
// derive a hyper-Erlang law.
func (t task) erlang(free outcome, err error) (outcome, error) {
	if err != nil {
		return outcome{}, err
	}
	start := componentsOf(free.law)
	for i, c := range start {
		start[i].Law = ofShape(max(1, math.Round(c.Law.Shape)), c.Law.Mean())
	}
	m := t.mixture(em.NewPoints(t.x, t.sample.Counts))
	m.Workers = t.options.Workers
	bounds := em.Gammas{Resolution: t.resolution, Shaped: true}
	m.Laws = bounds
	best := m.Run(start, em.Fine())
	if best.Ending == em.ComponentLost {
		return outcome{}, t.degenerate("with whole shapes a component vanishes")
	}
	iterations := best.Iterations
	// try changes the shape of component i by step, and keeps the result if it is likelier. A
	// shape is at least 1 and at most the bound of a hyper-Gamma.
	try := func(i int, step float64) bool {
		c := best.Components
		shape := c[i].Law.Shape + step
		if shape < 1 || shape > bounds.MaxShape(c[i].Law.Mean()) {
			return false
		}
		c[i].Law = ofShape(shape, c[i].Law.Mean())
		r := m.Run(c, em.Fine())
		iterations += r.Iterations
		if r.Ending == em.ComponentLost || !(r.LogLikelihood > best.LogLikelihood+1e-9*math.Abs(best.LogLikelihood)) {
			return false
		}
		best = r
		return true
	}
	for tries, unmoved := 0, 0; unmoved < len(start) && tries < mostShapes; {
		i := tries % len(start)
		moved := false
		for _, step := range []float64{1, -1} {
			for tries < mostShapes && try(i, step) {
				moved = true
				tries++
			}
		}
		tries++
		if unmoved++; moved {
			unmoved = 0
		}
	}
	best.Iterations = free.iterations + iterations
	return t.mixtureOutcome(best, m, free.warnings)
}

func ofShape(shape, mean float64) dist.Gamma { return dist.Gamma{Shape: shape, Scale: mean / shape} }
