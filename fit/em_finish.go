package fit

import (
	"cmp"
	"math"
	"slices"
)

// emProblem is what an end of a rough run is improved on: the whole sample.
type emProblem[C any] interface {
	run(start []C, limits emLimits, observe func(logLikelihood float64)) emResult[C]
	atBound(c []C) bool // whether a component is as narrow as it may be
	ofCells() bool      // whether the likelihood is of cells, not of densities
}

// chosen is the end that a fit takes.
type chosen[C any] struct {
	emResult[C]         // on the whole sample
	rough       float64 // log-likelihood on the pressed sample
	spike       bool    // an end with a component at its bound was likelier
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
func finish[C any](m emProblem[C], ends []emResult[C]) (best chosen[C], ok bool) {
	if m.ofCells() {
		return finishCells(m, ends)
	}
	return finishModes(m, ends)
}

// finishCells is finish where the likelihood is of cells: it knows what a value
// that is repeated is worth, and the likeliest end is taken.
func finishCells[C any](m emProblem[C], ends []emResult[C]) (best chosen[C], ok bool) {
	likelier := func(a, b emResult[C]) int { return cmp.Compare(b.logLikelihood, a.logLikelihood) }
	order := slices.Clone(ends)
	slices.SortStableFunc(order, likelier)
	if len(order) > 0 {
		best.rough = order[0].logLikelihood
	}
	var closer []emResult[C]
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
	slices.SortStableFunc(closer, likelier)
	for _, c := range closer {
		if c.logLikelihood < closer[0].logLikelihood-withinReach {
			break
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
func finishModes[C any](m emProblem[C], ends []emResult[C]) (best chosen[C], ok bool) {
	order := slices.Clone(ends)
	// A stable sort: of equals, the first start.
	slices.SortStableFunc(order, func(a, b emResult[C]) int {
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
			spike := func(e emResult[C]) bool {
				return e.status != ComponentLost && e.logLikelihood > end.logLikelihood && m.atBound(e.components)
			}
			return chosen[C]{r, tried, ok || slices.ContainsFunc(order, spike)}, true
		}
		if !ok {
			best, ok = chosen[C]{r, tried, false}, true
		}
	}
	return best, ok
}

// nearBound is how close to its bound a shape counts as at it.
const nearBound = 0.999

func (m *mixture) ofCells() bool { return m.spans != nil }

func (m *mixture) atBound(c []component) bool {
	return slices.ContainsFunc(c, m.narrowest)
}

func (m *mixture) narrowest(c component) bool {
	return !m.shaped && c.law.Shape >= nearBound*m.maxShape(c.law.Mean())
}
