package fit

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// fitLogNormalMixture fits a mixture of log-normal laws to the attribute
// itself by EM: options.Components of them.
//
// It starts where fitHyperGamma does, in ln of the attribute: at the split at
// the minima between the modes of the histogram, and at splits at shares of
// the jobs; and at mixtures grown one component at a time. What is said there
// of pressed samples and of ends with a component as narrow as is allowed
// holds here too. Where values are rounded, censored or cut, EM is of cells.
func fitLogNormalMixture(t task) (outcome, error) {
	k := t.options.Components
	if err := t.need(3*k-1, k); err != nil {
		return outcome{}, err
	}
	if !t.logNormalSums().told() {
		return outcome{}, t.degenerate(tooAlike)
	}
	if t.endedTooFew(k) {
		return outcome{}, t.degenerate(tooFewEnded)
	}
	whole := t.lnPoints()
	pressed := whole.pressLn()
	rough := t.normalMixture(pressed, 1)
	starts, byModes := rough.starts(k)
	starts = append(starts, rough.grow(k)...)
	ends := make([]emResult[normalComponent], len(starts))
	par.Each(t.options.Workers, len(starts), func(i int) {
		ends[i] = t.normalMixture(pressed, 1).run(starts[i], roughLimits(), nil)
	})
	m := t.normalMixture(whole, t.options.Workers)
	best, ok := finish(m, ends)
	if !ok {
		return outcome{}, t.degenerate(fmt.Sprintf("from every start a component dies: want fewer than %d", k))
	}
	var warnings []string
	if !byModes {
		warnings = append(warnings, fmt.Sprintf("the histogram of ln of %s has no %d modes: started elsewhere", t.attribute, k))
	} else if gain := best.rough - ends[0].logLikelihood; gain > 0.5 {
		warnings = append(warnings, fmt.Sprintf("local optima: from the histogram's minima the log-likelihood ends about %.1f below that from the start that is kept", gain))
	}
	if best.spike {
		warnings = append(warnings, "a likelier fit was left for this one: its narrowest component stands on one value that is repeated")
	}
	return t.normalMixtureOutcome(m, best.emResult, warnings)
}

// refitLogNormalMixture fits a replicate drawn from near, and starts there.
func refitLogNormalMixture(t task, near dist.Law) (outcome, error) {
	if err := t.need(3*t.options.Components-1, t.options.Components); err != nil {
		return outcome{}, err
	}
	start, ok := normalComponentsOf(near)
	if !ok {
		return outcome{}, fmt.Errorf("fit: %T is not a log-normal mixture", near)
	}
	m := t.normalMixture(t.lnPoints(), 1)
	r := m.run(start, replicateLimits(), nil)
	if r.status == ComponentLost {
		return outcome{}, t.degenerate("a component dies")
	}
	return t.normalMixtureOutcome(m, r, nil)
}

// lnPoints are the logarithms of the task's values; values so close that
// theirs are equal stay apart, which does no harm.
func (t task) lnPoints() points {
	if t.inCells() {
		return t.lnCells()
	}
	y := make([]float64, len(t.x))
	for i, x := range t.x {
		y[i] = math.Log(x)
	}
	return points{x: y, lnX: y, w: t.sample.Counts}
}

// normalMixture is the task's EM problem on some of its points.
func (t task) normalMixture(p points, workers int) *normalMixture {
	m := newNormalMixture(p, func(y float64) float64 { return Ln.width(y, t.options.Resolution) }, workers)
	if limit := t.limit(); limit > 0 {
		m.limit = math.Log(limit)
	}
	return m
}

func (m *normalMixture) ofCells() bool { return m.spans != nil }

func (m *normalMixture) atBound(c []normalComponent) bool {
	return slices.ContainsFunc(c, m.narrowest)
}

func (m *normalMixture) narrowest(c normalComponent) bool {
	return c.law.Sigma*nearBound <= m.minSigma(c.law.Mu)
}

func (t task) normalMixtureOutcome(m *normalMixture, r emResult[normalComponent], warnings []string) (outcome, error) {
	parts := make([]dist.WeightedLogNormal, len(r.components))
	for i, c := range r.components {
		parts[i] = dist.WeightedLogNormal{Weight: c.weight, Law: c.law}
		if m.narrowest(c) {
			warnings = append(warnings, fmt.Sprintf("component %d (share %.3g) is as narrow as is allowed, about %s = %.6g: values repeated there rather than a mode",
				i+1, c.weight, t.attribute, min(math.Exp(c.law.Mu), math.MaxFloat64)))
		}
	}
	law, err := dist.NewLogNormalMixture(parts...)
	if err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	return outcome{law: law, free: 3*len(parts) - 1, status: r.status, iterations: r.iterations, warnings: warnings}, nil
}
