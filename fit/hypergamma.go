package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// fitHyperGamma fits a mixture of two Gammas to the transformed attribute by EM. It starts from
// the split of the sample at the minimum between the modes of its histogram (Lublin and Feitelson
// 2003, section 3.2) and from other splits, because on some logs the first ends in a poor local
// optimum.
func fitHyperGamma(t task) (outcome, error) {
	if err := t.need(t.parameters(), 2); err != nil {
		return outcome{}, err
	}
	m := t.mixture(em.NewPoints(t.x, t.sample.Counts))
	m.Workers = t.options.Workers
	f, ok := m.Fit()
	if !ok {
		return outcome{}, t.degenerate("a component vanishes from every start: fit a single component")
	}
	var warnings []string
	if f.Spike {
		warnings = append(warnings, "a likelier but degenerate fit was rejected: its narrowest component covers a single repeated value")
	}
	return t.mixtureOutcome(f.End, m, warnings)
}

// parameters returns the number of parameters of a mixture that are estimated.
func (t task) parameters() int {
	if t.family.shape > 0 {
		return 3
	}
	return 5
}

// mixture returns the task's EM problem for some points, with one worker.
func (t task) mixture(p em.Points) *em.Mixture {
	return em.New(em.Gammas{Resolution: t.resolution, Shaped: t.family.shape > 0, Shape: t.family.shape}, p)
}

// refitHyperGamma fits a replicate drawn from near, starting from near.
func refitHyperGamma(t task, near dist.Law) (outcome, error) {
	if err := t.need(t.parameters(), 2); err != nil {
		return outcome{}, err
	}
	p := em.NewPoints(t.x, t.sample.Counts)
	if t.pressed {
		p = p.Press()
	}
	m := t.mixture(p)
	r := m.Run(componentsOf(near), em.Replicate())
	if r.Ending == em.ComponentLost {
		return outcome{}, t.degenerate("a component vanishes")
	}
	return t.mixtureOutcome(r, m, nil)
}

// componentsOf returns the components of a fitted mixture.
func componentsOf(l dist.Law) em.Components {
	h := l.(dist.HyperGamma)
	return em.Components{{Weight: h.P, Law: h.First}, {Weight: 1 - h.P, Law: h.Second}}
}

// mixtureOutcome returns the outcome of a run of EM.
func (t task) mixtureOutcome(f em.End, problem *em.Mixture, warnings []string) (outcome, error) {
	c := f.Components
	out := outcome{law: dist.HyperGamma{First: c[0].Law, Second: c[1].Law, P: c[0].Weight}, free: t.parameters(), status: endOf(f.Ending == em.Converged), iterations: f.Iterations, warnings: warnings}
	if t.family.name != "hyper-gamma" { // special cases without a law in dist
		out.family = t.family.name
	}
	if t.family.shape == 1 {
		out.parameters = []dist.Parameter{{Name: "mean_1", Value: c[0].Law.Mean()}, {Name: "mean_2", Value: c[1].Law.Mean()}, {Name: "p", Value: c[0].Weight}}
	}
	for i, c := range c {
		if problem.Laws.Narrowest(c.Law) {
			out.warn("component %d (share %.3g) is at the minimum width, near %s = %.6g: probably repeated values, not a mode",
				i+1, c.Weight, t.attribute, min(t.transform.Invert(c.Law.Mean()), math.MaxFloat64))
		}
	}
	return out, nil
}
