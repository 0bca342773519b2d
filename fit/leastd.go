package fit

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// fitLeastD fits k Gammas, one or two, by minimum distance: it looks for the
// parameters with the least Kolmogorov-Smirnov distance D over the distinct
// values (Wolfowitz 1957, "The minimum distance method"). It is not the
// estimator of Lublin and Feitelson (2003): the D that they print is of a fit
// by EM, and the likelihood of a law of least D is lower than that one's.
//
// D has local minima and kinks. A search by Nelder and Mead's simplex, which
// needs no derivatives, starts from the end of EM and from each of EM's
// starts; the best ends are searched from again until that gains nothing. D is
// never above that of EM's law. The bound on how narrow a component may be is
// EM's (mixture.maxShape).
func (t task) fitLeastD(k int) (outcome, error) {
	if k == 1 {
		t.options.P = 0 // of hyper-gamma
	}
	f, err := t.em(k)
	if err != nil {
		return outcome{}, err
	}
	starts := [][]component{f.components}
	if k > 1 {
		more, _ := t.mixture(t.points().press(), 1).starts(k)
		for _, c := range more {
			starts = append(starts, t.shares(c))
		}
	}
	return t.leastD(f.problem, starts)
}

// refitLeastD fits a bootstrap replicate drawn from near, and starts there.
func (t task) refitLeastD(near dist.Law) (outcome, error) {
	start := componentsOf(near)
	if err := t.need(t.parameters(len(start)), len(start)); err != nil {
		return outcome{}, err
	}
	t.options.Components = len(start)
	return t.leastD(t.mixture(t.points(), 1), [][]component{start})
}

// leastDFinals is how many of the searches that have come closest go on.
const leastDFinals = 2

// leastD is the closest end of the searches from all starts, of equals the one
// of the first start.
func (t task) leastD(m *mixture, starts [][]component) (outcome, error) {
	list := make([]*leastDSearch, len(starts))
	evaluations := 0
	if len(starts) > 1 {
		par.Each(t.options.Workers, len(starts), func(i int) {
			list[i] = newLeastDSearch(m, starts[i])
			list[i].rough()
		})
		slices.SortStableFunc(list, func(a, b *leastDSearch) int { return cmp.Compare(a.d, b.d) })
		for _, s := range list[min(leastDFinals, len(list)):] {
			evaluations += s.evaluations
		}
		list = list[:min(leastDFinals, len(list))]
	} else {
		list[0] = newLeastDSearch(m, starts[0])
	}
	par.Each(t.options.Workers, len(list), func(i int) { list[i].fine() })
	best := list[0]
	for _, s := range list {
		evaluations += s.evaluations
		if s.d < best.d {
			best = s
		}
	}
	end := emResult[component]{components: best.at, emEnd: emEnd{iterations: evaluations, status: best.status}}
	if !m.fixed {
		slices.SortStableFunc(end.components, func(a, b component) int { return cmp.Compare(a.law.Mean(), b.law.Mean()) })
	}
	return t.mixtureOutcome(emFit{emResult: end, problem: m, warnings: []string{leastDWarning}})
}

// leastDWarning labels a fit wherever its warnings are shown.
const leastDWarning = "fitted by least D, not by maximum likelihood: D is the least that the family allows, and likelihood, AIC and BIC are not its best"
