package fit

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// fitHyperExponential fits a mixture of exponential laws to the attribute
// itself by EM: Gammas whose shapes are 1.
func fitHyperExponential(t task) (outcome, error) {
	out, err := fitHyperGamma(t)
	return named(out, "hyper-exponential"), err
}

func refitHyperExponential(t task, near dist.Law) (outcome, error) {
	out, err := refitHyperGamma(t, near)
	return named(out, "hyper-exponential"), err
}

// named gives an outcome the name of the special case that its law is, and
// the parameters of a hyper-exponential law their names.
func named(out outcome, family string) outcome {
	if out.law == nil {
		return out
	}
	out.family = family
	if family != "hyper-exponential" {
		return out
	}
	c := componentsOf(out.law)
	for i, x := range c {
		out.parameters = append(out.parameters, dist.Parameter{Name: fmt.Sprintf("mean_%d", i+1), Value: x.Law.Mean()})
		if len(c) > 2 {
			out.parameters = append(out.parameters, dist.Parameter{Name: fmt.Sprintf("p_%d", i+1), Value: x.Weight})
		}
	}
	if len(c) == 2 {
		out.parameters = append(out.parameters, dist.Parameter{Name: "p", Value: c[0].Weight})
	}
	return out
}

// roundToErlang rounds the shapes of a fitted mixture to the nearest whole numbers
// of 1 or more, and changes the scales so that the means stay, as Lublin and
// Feitelson (2003), section 5.2, derive a hyper-Erlang law from a hyper-Gamma.
func roundToErlang(components []dist.WeightedGamma) {
	for i, c := range components {
		shape := max(1, math.Round(c.Law.Shape))
		components[i].Law = dist.Gamma{Shape: shape, Scale: c.Law.Mean() / shape}
	}
}

// fitHyperErlang fits a mixture of Erlang laws, Gammas with whole shapes, to
// the transformed attribute. A hyper-Gamma is fitted and its shapes are
// rounded; EM goes on with the shapes fixed; then each shape in turn is raised
// and lowered by 1 as long as the likelihood after EM rises. The shapes are at
// a maximum in that no one of them can be changed by 1 for a better one.
func fitHyperErlang(t task) (outcome, error) {
	out, err := fitHyperGamma(t)
	if err != nil {
		return outcome{}, err
	}
	return t.erlang(out)
}

func refitHyperErlang(t task, near dist.Law) (outcome, error) {
	out, err := refitHyperGamma(t, near)
	if err != nil {
		return outcome{}, err
	}
	return t.erlang(out)
}

// mostShapes is how many sets of shapes are tried.
const mostShapes = 100

// erlang searches whole shapes around those of a fitted hyper-Gamma.
func (t task) erlang(free outcome) (outcome, error) {
	start := componentsOf(free.law)
	roundToErlang(start)
	m := t.mixture(em.NewPoints(t.x, t.sample.Counts))
	m.Workers = t.options.Workers
	bounds := em.Gammas{Resolution: t.resolution, Shaped: true}
	m.Laws = bounds
	best := m.Run(start, em.Fine())
	if best.Ending == em.ComponentLost {
		return outcome{}, t.degenerate("with whole shapes a component dies")
	}
	iterations := best.Iterations
	// A shape near bottom may not follow a mean: the bound on it stays.
	try := func(i int, step float64) bool {
		c := slices.Clone(best.Components)
		shape := c[i].Law.Shape + step
		if shape < 1 || shape > bounds.MaxShape(c[i].Law.Mean()) {
			return false
		}
		c[i].Law = dist.Gamma{Shape: shape, Scale: c[i].Law.Mean() / shape}
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
	out, err := t.mixtureOutcome(emFit{End: best, problem: m, warnings: free.warnings})
	out.tried = free.tried
	return named(out, "hyper-erlang"), err
}
