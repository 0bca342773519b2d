package fit

import (
	"cmp"
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

// fitHyperGamma fits a mixture of Gammas to the transformed attribute by EM.
//
// It starts at the split of the sample at the minima between the modes of its
// histogram (Lublin and Feitelson 2003, section 3.2), and at splits at nine
// shares of the jobs, since on some logs the first ends in a poor local
// optimum. Samples of many values are pressed while starts are compared. The
// best end is then improved on the whole sample; an end with a component as
// narrow as is allowed is an atom of the data and not a mode, and is taken
// only if there is no other.
func fitHyperGamma(t task) (outcome, error) {
	k := t.options.Components
	if err := t.need(3*k-1, k); err != nil {
		return outcome{}, err
	}
	whole := t.points()
	pressed := whole.press()
	starts, byModes := t.mixture(pressed, 1).starts(k)
	ends := make([]emResult, len(starts))
	par.Each(t.options.Workers, len(starts), func(i int) {
		ends[i] = t.mixture(pressed, 1).run(t.shares(starts[i]), roughLimits(), nil)
	})
	m := t.mixture(whole, t.options.Workers)
	best, ok := m.finish(ends)
	if !ok {
		return outcome{}, t.degenerate(fmt.Sprintf("from every start a component dies: want fewer than %d", k))
	}
	var warnings []string
	if !byModes {
		warnings = append(warnings, fmt.Sprintf("the histogram of %s of %s has no %d modes: started from shares of the jobs", t.options.Transform, t.attribute, k))
	} else if gain := best.rough - ends[0].logLikelihood; gain > 0.5 {
		warnings = append(warnings, fmt.Sprintf("local optima: from the histogram's minimum the log-likelihood ends about %.1f below that from the start that is kept", gain))
	}
	if best.spike {
		warnings = append(warnings, "a likelier fit was left for this one: its narrowest component stands on one value that is repeated")
	}
	return t.mixtureOutcome(m, best.emResult, warnings)
}

// chosen is the end that a fit takes.
type chosen struct {
	emResult         // on the whole sample
	rough    float64 // log-likelihood on the pressed sample
	spike    bool    // an end with a component at its bound was likelier
}

// finish improves the ends of the rough runs on the whole sample, the most
// likely first, until one has no component at its bound; if all have, it is
// the first. It is false where a component dies in all of them.
func (m *mixture) finish(ends []emResult) (best chosen, ok bool) {
	order := slices.Clone(ends)
	// A stable sort: of equals, the first start.
	slices.SortStableFunc(order, func(a, b emResult) int {
		if x, y := m.atBound(a.components), m.atBound(b.components); x != y {
			if x {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.logLikelihood, a.logLikelihood)
	})
	tried := math.NaN() // equal to nothing
	for _, end := range order {
		same := math.Abs(end.logLikelihood-tried) <= 1e-7*math.Abs(tried)
		if end.status == ComponentLost || same || ok && m.atBound(end.components) {
			continue
		}
		tried = end.logLikelihood
		r := m.run(end.components, fineLimits(), nil)
		if r.status == ComponentLost {
			continue
		}
		if !m.atBound(r.components) {
			return chosen{r, tried, ok || m.likelierSpike(order, end)}, true
		}
		if !ok {
			best, ok = chosen{r, tried, false}, true
		}
	}
	return best, ok
}

// likelierSpike says whether an end with a component at its bound is likelier
// than the one taken.
func (m *mixture) likelierSpike(ends []emResult, taken emResult) bool {
	return slices.ContainsFunc(ends, func(e emResult) bool {
		return e.status != ComponentLost && e.logLikelihood > taken.logLikelihood && m.atBound(e.components)
	})
}

// nearBound is how close to its bound a shape counts as at it.
const nearBound = 0.999

func (m *mixture) atBound(c []component) bool {
	return slices.ContainsFunc(c, m.narrowest)
}

func (m *mixture) narrowest(c component) bool {
	return c.law.Shape >= nearBound*m.maxShape(c.law.Mean())
}

// mixture is the task's EM problem on some of its points.
func (t task) mixture(p points, workers int) *mixture {
	m := newMixture(p, t.options.Components, t.resolution, workers)
	m.fixed = t.options.P > 0
	return m
}

// shares gives the components of a start the given share, if there is one.
func (t task) shares(c []component) []component {
	if p := t.options.P; p > 0 {
		c[0].weight, c[1].weight = p, 1-p
	}
	return c
}

// refitHyperGamma fits a replicate drawn from near, and starts there.
func refitHyperGamma(t task, near dist.Law) (outcome, error) {
	if err := t.need(3*t.options.Components-1, t.options.Components); err != nil {
		return outcome{}, err
	}
	m := t.mixture(t.points(), 1)
	r := m.run(componentsOf(near), replicateLimits(), nil)
	if r.status == ComponentLost {
		return outcome{}, t.degenerate("a component dies")
	}
	return t.mixtureOutcome(m, r, nil)
}

// componentsOf takes a fitted mixture apart.
func componentsOf(l dist.Law) []component {
	switch l := l.(type) {
	case dist.HyperGamma:
		return []component{{l.P, l.First}, {1 - l.P, l.Second}}
	case dist.GammaMixture:
		var c []component
		for _, p := range l.Parts() {
			c = append(c, component{p.Weight, p.Gamma})
		}
		return c
	}
	panic(fmt.Sprintf("fit: %T is not a Gamma mixture", l))
}

func (t task) mixtureOutcome(m *mixture, r emResult, warnings []string) (outcome, error) {
	c := r.components
	out := outcome{free: 3*len(c) - 1, status: r.status, iterations: r.iterations, warnings: warnings}
	if m.fixed {
		out.free--
	}
	if len(c) == 2 {
		out.law = dist.HyperGamma{First: c[0].law, Second: c[1].law, P: c[0].weight}
	} else {
		parts := make([]dist.WeightedGamma, len(c))
		for i := range c {
			parts[i] = dist.WeightedGamma{Weight: c[i].weight, Gamma: c[i].law}
		}
		law, err := dist.NewGammaMixture(parts...)
		if err != nil {
			return outcome{}, t.degenerate(err.Error())
		}
		out.law = law
	}
	for i := range c {
		if m.narrowest(c[i]) {
			out.warnings = append(out.warnings, fmt.Sprintf("component %d (share %.3g) is as narrow as is allowed, about %s = %.6g: values repeated there rather than a mode",
				i+1, c[i].weight, t.attribute, t.options.Transform.Invert(c[i].law.Mean())))
		}
	}
	return out, nil
}
