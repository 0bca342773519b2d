package em

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// chosen is the end that a fit takes.
type chosen[L dist.Component] struct {
	End[L]         // on the whole sample
	rough  float64 // log-likelihood on the pressed sample
	spike  bool    // an end with a component at its bound was likelier
}

// mostFinished is how many ends are improved on the whole sample where the
// likelihood is of cells: pressed, it orders them less well. withinReach is
// how far below the highest of them, after the rough limits, one may be to go
// on to the fine ones.
const (
	mostFinished = 4
	withinReach  = 2
)

// finish improves the ends of the rough runs on the whole sample. It is false
// where a component dies in all of them.
func (m *Mixture[L]) finish(ends []End[L]) (best chosen[L], ok bool) {
	if m.OfCells() {
		return m.finishCells(ends)
	}
	return m.finishModes(ends)
}

// finishCells is finish where the likelihood is of cells: it knows what a value
// that is repeated is worth, and the likeliest end is taken.
func (m *Mixture[L]) finishCells(ends []End[L]) (best chosen[L], ok bool) {
	order := slices.Clone(ends)
	slices.SortStableFunc(order, likelier)
	if len(order) > 0 {
		best.rough = order[0].LogLikelihood
	}
	var closer []End[L]
	last := math.NaN() // equal to nothing
	for _, end := range order {
		if len(closer) == mostFinished {
			break
		}
		if end.Ending == ComponentLost || same(end.LogLikelihood, last) {
			continue
		}
		last = end.LogLikelihood
		if r := m.Run(end.Components, Rough()); r.Ending != ComponentLost {
			closer = append(closer, r)
		}
	}
	slices.SortStableFunc(closer, likelier)
	for _, c := range closer {
		if c.LogLikelihood < closer[0].LogLikelihood-withinReach {
			break
		}
		r := m.Run(c.Components, Fine())
		if r.Iterations += c.Iterations; r.Ending != ComponentLost && (!ok || r.LogLikelihood > best.LogLikelihood) {
			best.End, ok = r, true
		}
	}
	return best, ok
}

// finishModes is finish where the likelihood is of densities: it improves the
// ends, the most likely first, until one has no component at its bound; if all
// have, it takes the first.
func (m *Mixture[L]) finishModes(ends []End[L]) (best chosen[L], ok bool) {
	order := slices.Clone(ends)
	// A stable sort: of equals, the first start.
	slices.SortStableFunc(order, func(a, b End[L]) int {
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
			spike := func(e End[L]) bool {
				return e.Ending != ComponentLost && e.LogLikelihood > end.LogLikelihood && m.AtBound(e.Components)
			}
			return chosen[L]{r, tried, ok || slices.ContainsFunc(order, spike)}, true
		}
		if !ok {
			best, ok = chosen[L]{r, tried, false}, true
		}
	}
	return best, ok
}

// likelier orders ends, the most likely first.
func likelier[L dist.Component](a, b End[L]) int {
	return cmp.Compare(b.LogLikelihood, a.LogLikelihood)
}

// same says whether two ends have one log-likelihood, and so are one end.
func same(a, b float64) bool { return math.Abs(a-b) <= 1e-7*math.Abs(b) }
