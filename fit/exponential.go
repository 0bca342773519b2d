package fit

import "github.com/loadstone-hpc/loadstone/dist"

// fitExponential fits an exponential law to the attribute itself by maximum likelihood: its mean
// is the sum of the values of all jobs divided by the number of jobs that ended.
func fitExponential(t task) (outcome, error) {
	var sum, ended float64
	for i, x := range t.x {
		sum += t.sample.Counts[i] * x
		ended += t.sample.Counts[i] - t.killed(i)
	}
	if ended == 0 {
		return outcome{}, t.degenerate(tooFewEnded)
	}
	return outcome{law: dist.Exponential{Mean: sum / ended}, free: 1, status: Converged}, nil
}
