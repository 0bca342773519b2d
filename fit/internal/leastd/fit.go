// Package leastd fits mixtures of one or two Gammas by minimum distance: it
// looks for the parameters with the least Kolmogorov-Smirnov distance D over
// the distinct values (Wolfowitz 1957, "The minimum distance method").
package leastd

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// finals is how many of the searches that have come closest go on.
const finals = 2

// Fit returns the closest end of the searches from all starts, of equals the
// one of the first start. The sample, and a given share, are those of EM's
// problem; no component is narrower than bounds allow. Iterations are laws
// whose D was computed, and there is no log-likelihood.
func Fit(m *em.Mixture[dist.Gamma], bounds em.Gammas, starts [][]dist.WeightedGamma, workers int) em.End[dist.Gamma] {
	list := make([]*search, len(starts))
	evaluations := 0
	if len(starts) > 1 {
		par.Each(workers, len(starts), func(i int) {
			list[i] = newSearch(m, bounds, starts[i])
			list[i].rough()
		})
		slices.SortStableFunc(list, func(a, b *search) int { return cmp.Compare(a.d, b.d) })
		for _, s := range list[min(finals, len(list)):] {
			evaluations += s.evaluations
		}
		list = list[:min(finals, len(list))]
	} else {
		list[0] = newSearch(m, bounds, starts[0])
	}
	par.Each(workers, len(list), func(i int) { list[i].fine() })
	best := list[0]
	for _, s := range list {
		evaluations += s.evaluations
		if s.d < best.d {
			best = s
		}
	}
	end := em.End[dist.Gamma]{Components: best.at, Iterations: evaluations, Ending: best.ending}
	if m.Share == 0 {
		slices.SortStableFunc(end.Components, func(a, b dist.WeightedGamma) int { return cmp.Compare(a.Law.Mean(), b.Law.Mean()) })
	}
	return end
}
