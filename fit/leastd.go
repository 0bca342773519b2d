package fit

import (
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/fit/internal/leastd"
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
// EM's (em.Gammas.MaxShape).
func (t task) fitLeastD(k int) (outcome, error) {
	if k == 1 {
		t.options.P = 0 // of hyper-gamma
	}
	f, err := t.em(k)
	if err != nil {
		return outcome{}, err
	}
	starts := [][]dist.WeightedGamma{f.Components}
	if k > 1 {
		more, _ := f.problem.On(t.points().Press()).Starts(k)
		starts = append(starts, more...)
	}
	return t.leastD(f.problem, starts)
}

// refitLeastD fits a bootstrap replicate drawn from near, and starts there.
func (t task) refitLeastD(near dist.Law) (outcome, error) {
	start := componentsOf(near)
	if err := t.need(t.parameters(len(start)), len(start)); err != nil {
		return outcome{}, err
	}
	return t.leastD(t.mixture(t.points()), [][]dist.WeightedGamma{start})
}

// leastD is the closest end of the searches from all starts.
func (t task) leastD(m *em.Mixture[dist.Gamma], starts [][]dist.WeightedGamma) (outcome, error) {
	end := leastd.Fit(m, em.Gammas{Resolution: t.resolution}, starts, t.options.Workers)
	return t.mixtureOutcome(emFit{End: end, problem: m, warnings: []string{leastDWarning}})
}

// leastDWarning labels a fit wherever its warnings are shown.
const leastDWarning = "fitted by least D, not by maximum likelihood: D is the least that the family allows, and likelihood, AIC and BIC are not its best"
