package em

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Found is what Fit finds.
type Found struct {
	End
	Spike bool // a likelier end, with a component at its bound, was left
}

// Fit fits a mixture of two components from all starts. Samples of many values are pressed while
// starts are compared, and the best end is then improved on the whole sample.
//
// An end with a component as narrow as is allowed is an atom of the data and not a
// mode, and is taken only if there is no other. ok is false where a component dies from every start.
func (m *Mixture) Fit() (f Found, ok bool) {
	pressed := m.Points.Press()
	if f, ok = m.fitFrom(pressed); !ok && pressed.Len() < m.Points.Len() {
		f, ok = m.fitFrom(m.Points) // what dies in the pressed sample need not in the whole
	}
	return f, ok
}

// fitFrom is Fit with the starts compared on a sample. It improves their ends on the whole
// sample, the most likely first, until one has no component at its bound; if all have, it
// takes the first.
func (m *Mixture) fitFrom(sample Points) (best Found, ok bool) {
	starts := New(m.Laws, sample).Starts()
	ends := make([]End, len(starts))
	par.Each(m.Workers, len(starts), func(i int) { ends[i] = New(m.Laws, sample).Run(starts[i], Rough()) })
	order := slices.Clone(ends)
	// A stable sort: of equals, the first start.
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
		same := math.Abs(end.LogLikelihood-tried) <= 1e-7*math.Abs(tried) // one end from two starts
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

// splitShares are the shares below the cut of the restarts: where the histogram has no two modes,
// or its minimum is a bad place to start from.
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

// split returns the components that fit the parts of the sample below and above a cut (a value
// at it belongs below); false if a part is empty.
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
