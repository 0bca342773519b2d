package fit

import "github.com/loadstone-hpc/loadstone/dist"

// fitExponential fits an exponential law to the attribute itself by maximum
// likelihood: its mean is the sample's, or, where values are not exact and
// complete, what EM finds.
func fitExponential(t task) (outcome, error) {
	if t.inCells() || t.limit() > 0 {
		t.family.shape = 1
		out, err := t.emOfOne()
		if err != nil {
			return outcome{}, err
		}
		out.law = dist.Exponential{Mean: dist.Mean(out.law)}
		return out, nil
	}
	var sums GammaSums
	for i, x := range t.x {
		sums.Add(x, t.sample.Counts[i])
	}
	return outcome{law: dist.Exponential{Mean: sums.Mean()}, free: 1, status: Converged}, nil
}
