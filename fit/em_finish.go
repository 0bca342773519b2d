package fit

import (
	"cmp"
	"math"
	"slices"
)

// chosen is the end that a fit takes.
type chosen struct {
	emResult         // on the whole sample
	rough    float64 // log-likelihood on the pressed sample
	spike    bool    // an end with a component at its bound was likelier
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
func (m *mixture) finish(ends []emResult) (best chosen, ok bool) {
	if m.spans == nil {
		return m.finishModes(ends)
	}
	order := slices.Clone(ends)
	slices.SortStableFunc(order, func(a, b emResult) int { return cmp.Compare(b.logLikelihood, a.logLikelihood) })
	var closer []emResult
	if len(order) > 0 {
		best.rough = order[0].logLikelihood
	}
	last := math.NaN() // equal to nothing
	for _, end := range order {
		if len(closer) == mostFinished {
			break
		}
		if end.status == ComponentLost || math.Abs(end.logLikelihood-last) <= 1e-7*math.Abs(last) {
			continue
		}
		last = end.logLikelihood
		if r := m.run(end.components, roughLimits(), nil); r.status != ComponentLost {
			closer = append(closer, r)
		}
	}
	for _, c := range closer {
		top := slices.MaxFunc(closer, func(a, b emResult) int { return cmp.Compare(a.logLikelihood, b.logLikelihood) })
		if c.logLikelihood < top.logLikelihood-withinReach {
			continue
		}
		r := m.run(c.components, fineLimits(), nil)
		if r.iterations += c.iterations; r.status != ComponentLost && (!ok || r.logLikelihood > best.logLikelihood) {
			best.emResult, ok = r, true
		}
	}
	return best, ok
}

// finishModes is finish where the likelihood is of densities: it improves the
// ends, the most likely first, until one has no component at its bound; if all
// have, it takes the first.
func (m *mixture) finishModes(ends []emResult) (best chosen, ok bool) {
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
	return !m.shaped && c.law.Shape >= nearBound*m.maxShape(c.law.Mean())
}
