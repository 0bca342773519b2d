package em

import (
	"cmp"
	"math"
	"slices"
)

// chosen is the end that a fit takes.
type chosen struct {
	End           // on the whole sample
	rough float64 // log-likelihood on the pressed sample
	spike bool    // an end with a component at its bound was likelier
}

// finish improves the ends of the rough runs on the whole sample, the most likely
// first, until one has no component at its bound; if all have, it takes the first. It
// is false where a component dies in all of them.
func (m *Mixture) finish(ends []End) (best chosen, ok bool) {
	order := slices.Clone(ends)
	// A stable sort: of equals, the first start.
	slices.SortStableFunc(order, func(a, b End) int {
		if x, y := m.AtBound(a.Components), m.AtBound(b.Components); x != y {
			if x {
				return 1
			}
			return -1
		}
		return cmp.Compare(b.LogLikelihood, a.LogLikelihood)
	})
	tried := math.NaN() // equal to nothing
	for _, end := range order {
		if end.Ending == ComponentLost || same(end.LogLikelihood, tried) || ok && m.AtBound(end.Components) {
			continue
		}
		tried = end.LogLikelihood
		r := m.Run(end.Components, Fine())
		if r.Ending == ComponentLost {
			continue
		}
		if !m.AtBound(r.Components) {
			spike := func(e End) bool {
				return e.Ending != ComponentLost && e.LogLikelihood > end.LogLikelihood && m.AtBound(e.Components)
			}
			return chosen{r, tried, ok || slices.ContainsFunc(order, spike)}, true
		}
		if !ok {
			best, ok = chosen{r, tried, false}, true
		}
	}
	return best, ok
}

// likelier orders ends, the most likely first.
func likelier(a, b End) int {
	return cmp.Compare(b.LogLikelihood, a.LogLikelihood)
}

// same says whether two ends have one log-likelihood, and so are one end.
func same(a, b float64) bool { return math.Abs(a-b) <= 1e-7*math.Abs(b) }
