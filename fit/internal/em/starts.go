package em

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Found is the result of Fit.
type Found struct {
	End
	Spike bool // whether a likelier end, with a component at its bound, was rejected
}

// Fit fits a mixture of two components from all starts. Samples of many values are pressed while
// starts are compared, and the best end is then improved on the whole sample.
//
// A component that is as narrow as allowed is an atom of the data and not a mode, so an end with
// one is used only if there is no other. ok is false if a component vanishes from every start.
func (m *Mixture) Fit() (f Found, ok bool) {
	pressed := m.Points.Press()
	if f, ok = m.fitFrom(pressed); !ok && pressed.Len() < m.Points.Len() {
		f, ok = m.fitFrom(m.Points) // a component that dies in the pressed sample may survive in the whole one
	}
	return f, ok
}

// fitFrom implements Fit with the starts compared on a sample. It improves their ends on the
// whole sample, first those without a component at its bound and of these the likeliest first,
// until one has no component at its bound. If all have one, it returns the first.
func (m *Mixture) fitFrom(sample Points) (best Found, ok bool) {
	starts := New(m.Laws, sample).Starts()
	ends := make([]End, len(starts))
	par.Each(m.Workers, len(starts), func(i int) { ends[i] = New(m.Laws, sample).Run(starts[i], Rough()) })
	order := slices.Clone(ends)
	// The sort is stable, so that of equal ends that of the first start comes first.
	slices.SortStableFunc(order, func(a, b End) int {
		if x := m.AtBound(a.Components); x != m.AtBound(b.Components) {
			if x {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.LogLikelihood, a.LogLikelihood)
	})
	tried := math.NaN() // equal to nothing
	for _, end := range order {
		same := math.Abs(end.LogLikelihood-tried) <= 1e-7*math.Abs(tried) // the same end from two starts
		if end.Ending == ComponentLost || same || ok && m.AtBound(end.Components) {
			continue
		}
		tried = end.LogLikelihood
		r := m.Run(end.Components, Fine())
		if r.Ending == ComponentLost {
			continue
		}
		found := Found{End: r}
		if !m.AtBound(r.Components) {
			found.Spike = ok || slices.ContainsFunc(order, func(e End) bool {
				return e.Ending != ComponentLost && e.LogLikelihood > tried && m.AtBound(e.Components)
			})
			return found, true
		}
		if !ok {
			best, ok = found, true
		}
	}
	return best, ok
}

// splitShares are the shares of the jobs below the cuts of further starts, for samples whose
// histogram does not have two modes or has its minimum at a bad place to start from.
var splitShares = [...]float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}

// Starts returns the starts of EM, without repetitions: the split of the sample at the minimum
// between the two modes of its histogram, if it has two, comes first; splits at shares of the jobs
// follow.
func (m *Mixture) Starts() (list []Components) {
	var seen []float64
	add := func(cut float64) {
		if slices.Contains(seen, cut) {
			return
		}
		seen = append(seen, cut)
		if c, ok := m.split(cut); ok {
			list = append(list, c)
		}
	}
	if cut, ok := m.Points.ModeCut(); ok {
		add(cut)
	}
	for _, share := range splitShares {
		add(m.Points.Quantile(share))
	}
	return list
}

// split returns the components that fit the parts of the sample below and above a cut (a value at
// the cut belongs below); false if a part is empty.
func (m *Mixture) split(cut float64) (c Components, ok bool) {
	p := &m.Points
	at, below, above := 0, 0.0, 0.0
	for i, w := range p.W {
		if p.X[i] <= cut {
			below += w
			at = i + 1
		} else {
			above += w
		}
	}
	if !(below > 0) || !(above > 0) {
		return c, false
	}
	return Components{{Weight: below / m.Jobs, Law: m.Laws.of(p, 0, at)}, {Weight: above / m.Jobs, Law: m.Laws.of(p, at, p.Len())}}, true
}
