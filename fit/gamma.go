package fit

// fitGamma fits one Gamma to the transformed attribute by maximum likelihood.
func fitGamma(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	var sums GammaSums
	for i, x := range t.x {
		sums.Add(x, t.sample.Counts[i])
	}
	law, ok := sums.ML()
	if !ok {
		return outcome{}, t.degenerate("the values do not differ enough to tell a shape")
	}
	return outcome{law: law, free: 2, status: Converged}, nil
}
