package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

// fitLogNormalMixture fits a mixture of log-normal laws to the attribute
// itself by EM: options.Components of them. It starts where fitHyperGamma does,
// in ln of the attribute, and always grows the mixture from smaller ones too.
// Where values are rounded, censored or cut, EM is of cells.
func fitLogNormalMixture(t task) (outcome, error) {
	k := t.options.Components
	if err := t.need(3*k-1, k); err != nil {
		return outcome{}, err
	}
	if !t.logNormalSums().Told() {
		return outcome{}, t.degenerate(tooAlike)
	}
	if t.endedTooFew(k) {
		return outcome{}, t.degenerate(tooFewEnded)
	}
	m := t.normals(t.lnPoints())
	m.Workers = t.options.Workers
	f, ok := m.Fit(k, 6)
	if !ok {
		return outcome{}, t.degenerate(lostFromAll(k))
	}
	return t.normalMixtureOutcome(m, f.End, aboutStarts(f, fmt.Sprintf("ln of %s", t.attribute), k))
}

// refitLogNormalMixture fits a replicate drawn from near, and starts there.
func refitLogNormalMixture(t task, near dist.Law) (outcome, error) {
	if err := t.need(3*t.options.Components-1, t.options.Components); err != nil {
		return outcome{}, err
	}
	start, ok := normalComponentsOf(near)
	if !ok {
		return outcome{}, fmt.Errorf("%T is not a log-normal mixture", near)
	}
	m := t.normals(t.lnPoints())
	r := m.Run(start, em.Replicate())
	if r.Ending == em.ComponentLost {
		return outcome{}, t.degenerate("a component dies")
	}
	return t.normalMixtureOutcome(m, r, nil)
}

// lnPoints are the logarithms of the task's values; values so close that
// theirs are equal stay apart, which does no harm.
func (t task) lnPoints() points.Set {
	out := points.Set{Linear: true}
	if !t.inCells() {
		out.W = t.sample.Counts
		for _, x := range t.x {
			out.X = append(out.X, math.Log(x))
		}
		return out
	}
	out.Cells = &points.Cells{}
	p := t.points()
	for i, lnX := range p.LnX {
		lo, hi := p.Ends(i)
		switch half := p.HalfWidth(i); {
		case lo > 0 && !math.IsInf(half, 1):
			out.Add(lnX-half, lnX+half, p.W[i]) // the width to all its digits
		case p.Censored(i):
			out.AddCensored(math.Log(lo), math.Log(hi), p.W[i])
		default:
			out.Add(math.Log(lo), math.Log(hi), p.W[i])
		}
	}
	return out
}

// normals is the task's EM problem on some points of ln x, for one worker.
func (t task) normals(p points.Set) *em.Mixture[dist.LogNormal] {
	m := em.New[dist.LogNormal](em.Normals{Resolution: func(y float64) float64 { return Ln.width(y, t.options.Resolution) }}, p)
	m.Limit = math.Log(t.end())
	return m
}

// normalComponentsOf takes a fitted log-normal law, or a mixture, apart.
func normalComponentsOf(l dist.Law) ([]dist.WeightedLogNormal, bool) {
	switch l := uncut(l).(type) {
	case dist.LogNormal:
		return oneLogNormal(l), true
	case dist.LogNormalMixture:
		return l.Parts(), true
	}
	return nil, false
}

func (t task) normalMixtureOutcome(m *em.Mixture[dist.LogNormal], r em.End[dist.LogNormal], warnings []string) (outcome, error) {
	law, err := dist.NewLogNormalMixture(r.Components...)
	if err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	warnings = append(warnings, aboutBounds(t, m, r.Components, func(l dist.LogNormal) float64 { return math.Exp(l.Mu) })...)
	return outcome{law: law, free: 3*len(r.Components) - 1, status: statusOf(r.Ending), iterations: r.Iterations, warnings: warnings}, nil
}
