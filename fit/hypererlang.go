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

// RoundToErlang rounds the shapes of a Gamma, a hyper-Gamma or a Gamma mixture
// to the nearest whole numbers of 1 or more, and changes the scales so that
// the means stay: the hyper-Erlang law that Lublin and Feitelson (2003),
// section 5.2, derive from a fitted hyper-Gamma. Any other law is an error.
func RoundToErlang(law dist.Law) (dist.Law, error) {
	erlang := func(g dist.Gamma) dist.Gamma {
		shape := max(1, math.Round(g.Shape))
		return dist.Gamma{Shape: shape, Scale: g.Mean() / shape}
	}
	var out dist.Law
	switch l := law.(type) {
	case dist.Gamma:
		out = erlang(l)
	case dist.HyperGamma:
		out = dist.HyperGamma{First: erlang(l.First), Second: erlang(l.Second), P: l.P}
	case dist.GammaMixture:
		for i, p := range l.Parts() {
			l.Components[i].Law = erlang(p.Law)
		}
		out = l
	default:
		return nil, fmt.Errorf("%T is rounded to Erlang laws, want a Gamma, a hyper-Gamma or a Gamma mixture", law)
	}
	return out, dist.Validate(out)
}

// fitErlangRounded fits a hyper-Gamma and rounds it (RoundToErlang).
func fitErlangRounded(t task) (outcome, error) {
	out, err := fitHyperGamma(t)
	return t.erlangRounded(out, err)
}

func refitErlangRounded(t task, near dist.Law) (outcome, error) {
	out, err := refitHyperGamma(t, near)
	return t.erlangRounded(out, err)
}

func (t task) erlangRounded(out outcome, err error) (outcome, error) {
	if err != nil {
		return out, err
	}
	if out.law, err = RoundToErlang(out.law); err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	return named(out, "erlang-rounded"), nil
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
	law, err := RoundToErlang(free.law)
	if err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	start := componentsOf(law)
	m := t.mixture(t.points())
	m.Workers = t.options.Workers
	bounds := em.Gammas{Resolution: t.resolution, Shaped: true}
	m.Kernel = bounds
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
