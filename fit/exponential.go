package fit

import "github.com/loadstone-hpc/loadstone/dist"

// fitExponential fits an exponential law to the attribute itself by maximum
// likelihood: its mean is the sample's.
func fitExponential(t task) (outcome, error) {
	var sums GammaSums
	for i, x := range t.x {
		sums.Add(x, t.sample.Counts[i])
	}
	return outcome{law: dist.Exponential{Mean: sums.Mean()}, free: 1, status: Converged}, nil
}
