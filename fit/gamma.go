package fit

import "github.com/loadstone-hpc/loadstone/fit/internal/em"

// fitGamma fits one Gamma to the transformed attribute by maximum likelihood:
// in closed form but for its shape's equation, or, where values are not exact
// and complete, by EM.
func fitGamma(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	if t.options.Method == MethodMoments {
		return t.fitMoments(gammaOfMoments)
	}
	if t.inCells() || t.limit() > 0 {
		return t.emOfOne()
	}
	var sums em.GammaSums
	for i, x := range t.x {
		sums.Add(x, t.sample.Counts[i])
	}
	law, ok := sums.ML()
	if !ok {
		return outcome{}, t.degenerate("the values do not differ enough to tell a shape")
	}
	return outcome{law: law, free: 2, status: Converged}, nil
}

// emOfOne fits a single component by EM.
func (t task) emOfOne() (outcome, error) {
	t.options.P = 0
	f, err := t.em(1)
	if err != nil {
		return outcome{}, err
	}
	return t.mixtureOutcome(f)
}
