package fit

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// The limits of EM while starts are compared, on the pressed sample; on the
// whole sample from the best of them; and in a replicate of the bootstrap,
// where sampling error is far above the tolerance.
func roughLimits() emLimits     { return emLimits{iterations: 300, tolerance: 1e-4, gain: 1e-9} }
func fineLimits() emLimits      { return emLimits{iterations: 1000, tolerance: 1e-8, gain: 1e-12} }
func replicateLimits() emLimits { return emLimits{iterations: 1000, tolerance: 1e-4, gain: 1e-9} }

// fitHyperGamma fits a mixture of Gammas to the transformed attribute by EM,
// of as many components as the options say or, where they are to be chosen, of
// those with the lowest BIC; or one of two by least D.
func fitHyperGamma(t task) (outcome, error) {
	if t.options.Method == MethodLeastD {
		return t.fitLeastD(2)
	}
	if t.options.ChooseComponents {
		return t.chooseComponents()
	}
	r, err := t.em(t.options.Components)
	if err != nil {
		return outcome{}, err
	}
	return t.mixtureOutcome(r)
}

// emFit is where EM ended, from all starts, on the whole sample.
type emFit struct {
	emResult[component]
	problem  *mixture
	warnings []string
}

// em fits a mixture of k components.
//
// It starts at the split of the sample at the minima between the modes of its
// histogram (Lublin and Feitelson 2003, section 3.2), and at splits at nine
// shares of the jobs, since on some logs the first ends in a poor local
// optimum; see starts for the others. Samples of many values are pressed while
// starts are compared. The best end is then improved on the whole sample. Of
// the likelihood of densities an end with a component as narrow as is allowed
// is an atom of the data and not a mode, and is taken only if there is no
// other; the likelihood of cells knows what an atom is worth, and the
// likeliest end is taken.
func (t task) em(k int) (emFit, error) {
	t.options.Components = k
	if err := t.need(t.parameters(k), k); err != nil {
		return emFit{}, err
	}
	whole := t.points()
	if len(whole.x) == 0 || t.options.Censored && whole.closed() < k {
		return emFit{}, t.degenerate("all jobs but for fewer values than components are censored")
	}
	pressed := whole.press()
	starts, byModes := t.mixture(pressed, 1).starts(k)
	if k > 2 {
		starts = append(starts, t.grown(pressed, k)...)
	}
	ends := t.roughly(pressed, starts)
	m := t.mixture(whole, t.options.Workers)
	best, ok := finish(m, ends)
	if !ok {
		return emFit{}, t.degenerate(fmt.Sprintf("from every start a component dies: want fewer than %d", k))
	}
	out := emFit{emResult: best.emResult, problem: m}
	if k == 1 {
		return out, nil
	}
	if !byModes {
		out.warnings = append(out.warnings, fmt.Sprintf("the histogram of %s of %s has no %d modes: started from shares of the jobs", t.options.Transform, t.attribute, k))
	} else if gain := best.rough - ends[0].logLikelihood; gain > 0.5 {
		out.warnings = append(out.warnings, fmt.Sprintf("local optima: from the histogram's minimum the log-likelihood ends about %.1f below that from the start that is kept", gain))
	}
	if best.spike {
		out.warnings = append(out.warnings, "a likelier fit was left for this one: its narrowest component stands on one value that is repeated")
	}
	return out, nil
}

// roughly runs EM from each start on a pressed sample.
func (t task) roughly(pressed points, starts [][]component) []emResult[component] {
	ends := make([]emResult[component], len(starts))
	par.Each(t.options.Workers, len(starts), func(i int) {
		ends[i] = t.mixture(pressed, 1).run(t.shares(starts[i]), roughLimits(), nil)
	})
	return ends
}

// A component that is added to a mixture is tried at so many quantiles of the
// values, with this weight.
const (
	grownPlaces = 16
	grownWeight = 0.1
)

// grown are starts of k components made of the best end of k-1 on the same
// sample: with one more, narrow or wide, at some place, or with one of its
// components split in two.
func (t task) grown(pressed points, k int) [][]component {
	t.options.Components = k - 1
	starts, _ := t.mixture(pressed, 1).starts(k - 1)
	if k > 3 {
		starts = append(starts, t.grown(pressed, k-1)...)
	}
	ends := t.roughly(pressed, starts)
	best := -1
	for i, e := range ends {
		if e.status != ComponentLost && (best < 0 || e.logLikelihood > ends[best].logLikelihood) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	// A narrow peak inside a wide component is reached by no split of it: a
	// new component, as narrow as is allowed or a tenth of its place wide, at
	// each of some quantiles.
	var list [][]component
	m := t.mixture(pressed, 1)
	for place := range grownPlaces {
		share := (float64(place) + 0.5) / grownPlaces
		mean := m.quantileCuts(2, math.Log(share)/math.Log(0.5))[0]
		for _, shape := range []float64{m.maxShape(mean), 100} {
			start := slices.Clone(ends[best].components)
			for i := range start {
				start[i].weight *= 1 - grownWeight
			}
			list = append(list, append(start, component{grownWeight, dist.Gamma{Shape: shape, Scale: mean / shape}}))
		}
	}
	for i, c := range ends[best].components {
		start := slices.Clone(ends[best].components)
		// Halves of a component lie at about one mean deviation from its mean.
		mean, apart := c.law.Mean(), 1+0.8/math.Sqrt(c.law.Shape)
		half := func(mean float64) component {
			return component{c.weight / 2, dist.Gamma{Shape: c.law.Shape, Scale: mean / c.law.Shape}}
		}
		start[i] = half(mean / apart)
		list = append(list, append(start, half(mean*apart)))
	}
	return list
}

// parameters is how many numbers a mixture of k components has to estimate.
func (t task) parameters(k int) int {
	n := 3*k - 1
	if t.family.shape > 0 {
		n -= k
	}
	if t.options.P > 0 {
		n--
	}
	return n
}

// mixture is the task's EM problem on some of its points.
func (t task) mixture(p points, workers int) *mixture {
	m := newMixture(p, t.options.Components, t.resolution, workers)
	m.fixed = t.options.P > 0
	m.shaped = t.family.shape > 0
	m.limit = t.limit()
	return m
}

// shares gives the components of a start the given share, and the family's
// shape, if there are any.
func (t task) shares(c []component) []component {
	if p := t.options.P; p > 0 {
		c[0].weight, c[1].weight = p, 1-p
	}
	if shape := t.family.shape; shape > 0 {
		for i := range c {
			c[i].law = dist.Gamma{Shape: shape, Scale: c[i].law.Mean() / shape}
		}
	}
	return c
}

// refitHyperGamma fits a replicate drawn from near, and starts there, with as
// many components.
func refitHyperGamma(t task, near dist.Law) (outcome, error) {
	if t.options.Method == MethodLeastD {
		return t.refitLeastD(near)
	}
	start := componentsOf(near)
	k := len(start)
	if err := t.need(t.parameters(k), k); err != nil {
		return outcome{}, err
	}
	t.options.Components = k
	p := t.points()
	if t.pressed {
		p = p.press()
	}
	m := t.mixture(p, 1)
	r := m.run(start, replicateLimits(), nil)
	if r.status == ComponentLost {
		return outcome{}, t.degenerate("a component dies")
	}
	return t.mixtureOutcome(emFit{emResult: r, problem: m})
}

// componentsOf takes a fitted mixture apart.
func componentsOf(l dist.Law) []component {
	switch l := uncut(l).(type) {
	case dist.Exponential:
		return []component{{1, dist.Gamma{Shape: 1, Scale: l.Mean}}}
	case dist.Gamma:
		return []component{{1, l}}
	case dist.HyperGamma:
		return []component{{l.P, l.First}, {1 - l.P, l.Second}}
	case dist.GammaMixture:
		var c []component
		for _, p := range l.Parts() {
			c = append(c, component{p.Weight, p.Law})
		}
		return c
	}
	panic(fmt.Sprintf("fit: %T is not a Gamma mixture", l))
}

// mixtureOutcome makes a law of where EM ended, of one component a Gamma.
func (t task) mixtureOutcome(f emFit) (outcome, error) {
	c := f.components
	out := outcome{free: t.parameters(len(c)), status: f.status, iterations: f.iterations, warnings: f.warnings}
	switch len(c) {
	case 1:
		out.law = c[0].law
	case 2:
		out.law = dist.HyperGamma{First: c[0].law, Second: c[1].law, P: c[0].weight}
	default:
		parts := make([]dist.WeightedGamma, len(c))
		for i := range c {
			parts[i] = dist.WeightedGamma{Weight: c[i].weight, Law: c[i].law}
		}
		law, err := dist.NewGammaMixture(parts...)
		if err != nil {
			return outcome{}, t.degenerate(err.Error())
		}
		out.law = law
	}
	for i := range c {
		if f.problem.narrowest(c[i]) {
			out.warnings = append(out.warnings, fmt.Sprintf("component %d (share %.3g) is as narrow as is allowed, about %s = %.6g: values repeated there rather than a mode",
				i+1, c[i].weight, t.attribute, min(t.options.Transform.Invert(c[i].law.Mean()), math.MaxFloat64)))
		}
	}
	return out, nil
}
