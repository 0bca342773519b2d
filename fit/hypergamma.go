package fit

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// fitHyperGamma fits a mixture of Gammas to the transformed attribute by EM,
// of as many components as the options say or, where they are to be chosen, of
// those with the lowest BIC.
func fitHyperGamma(t task) (outcome, error) {
	if t.options.ChooseComponents {
		return t.chooseComponents()
	}
	r, err := t.em(t.options.Components)
	if err != nil {
		return outcome{}, err
	}
	return t.mixtureOutcome(r)
}

// emFit is where EM ended on the whole sample.
type emFit struct {
	em.End
	problem  *em.Mixture
	warnings []string
}

// em fits a mixture of k components, as em.Mixture.Fit does: from the split of
// the sample at the minima between the modes of its histogram (Lublin and
// Feitelson 2003, section 3.2), and, since on some logs that ends in a poor
// local optimum, from others. A mixture of more than two is also grown from
// smaller ones; for two, splits and peaks are enough.
func (t task) em(k int) (emFit, error) {
	if err := t.need(t.parameters(k), k); err != nil {
		return emFit{}, err
	}
	m := t.mixture(em.NewPoints(t.x, t.sample.Counts))
	m.Workers = t.options.Workers
	bases := 0
	if k > 2 {
		bases = 2
	}
	f, ok := m.Fit(k, bases)
	if !ok {
		return emFit{}, t.degenerate(lostFromAll(k))
	}
	out := emFit{End: f.End, problem: m}
	if k > 1 {
		out.warnings = aboutStarts(f, fmt.Sprintf("%s of %s", t.options.Transform, t.attribute), k)
	}
	return out, nil
}

// parameters is how many numbers a mixture of k components has to estimate.
func (t task) parameters(k int) int {
	n := 3*k - 1
	if t.family.shape > 0 {
		n -= k
	}
	return n
}

// mixture is the task's EM problem on some points, for one worker.
func (t task) mixture(p em.Points) *em.Mixture {
	return em.New(em.Gammas{Resolution: t.resolution, Shaped: t.family.shape > 0, Shape: t.family.shape}, p)
}

// refitHyperGamma fits a replicate drawn from near, and starts there, with as
// many components.
func refitHyperGamma(t task, near dist.Law) (outcome, error) {
	start := componentsOf(near)
	k := len(start)
	if err := t.need(t.parameters(k), k); err != nil {
		return outcome{}, err
	}
	p := em.NewPoints(t.x, t.sample.Counts)
	if t.pressed {
		p = p.Press()
	}
	m := t.mixture(p)
	r := m.Run(start, em.Replicate())
	if r.Ending == em.ComponentLost {
		return outcome{}, t.degenerate("a component dies")
	}
	return t.mixtureOutcome(emFit{End: r, problem: m})
}

// componentsOf takes a fitted mixture apart.
func componentsOf(l dist.Law) []dist.WeightedGamma {
	switch l := l.(type) {
	case dist.Gamma:
		return []dist.WeightedGamma{{Weight: 1, Law: l}}
	case dist.HyperGamma:
		return []dist.WeightedGamma{{Weight: l.P, Law: l.First}, {Weight: 1 - l.P, Law: l.Second}}
	case dist.GammaMixture:
		return l.Parts()
	}
	panic(fmt.Sprintf("%T is not a Gamma mixture", l))
}

// mixtureOutcome makes a law of where EM ended, of one component a Gamma.
func (t task) mixtureOutcome(f emFit) (outcome, error) {
	c := f.Components
	out := outcome{free: t.parameters(len(c)), status: statusOf(f.Ending), iterations: f.Iterations, warnings: f.warnings}
	if t.family.name != "hyper-gamma" { // special cases that dist has no law for
		out.family = t.family.name
	}
	if t.family.shape == 1 {
		out.parameters = exponentialParameters(c)
	}
	switch len(c) {
	case 1:
		out.law = c[0].Law
	case 2:
		out.law = dist.HyperGamma{First: c[0].Law, Second: c[1].Law, P: c[0].Weight}
	default:
		law, err := dist.NewGammaMixture(c...)
		if err != nil {
			return outcome{}, t.degenerate(err.Error())
		}
		out.law = law
	}
	out.warnings = append(out.warnings, t.aboutBounds(f.problem, c)...)
	return out, nil
}

// exponentialParameters are those of a hyper-exponential law.
func exponentialParameters(c []dist.WeightedGamma) (parameters []dist.Parameter) {
	for i, x := range c {
		parameters = append(parameters, dist.Parameter{Name: fmt.Sprintf("mean_%d", i+1), Value: x.Law.Mean()})
		if len(c) > 2 {
			parameters = append(parameters, dist.Parameter{Name: fmt.Sprintf("p_%d", i+1), Value: x.Weight})
		}
	}
	if len(c) == 2 {
		parameters = append(parameters, dist.Parameter{Name: "p", Value: c[0].Weight})
	}
	return parameters
}
