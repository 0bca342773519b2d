package fit

import "github.com/loadstone-hpc/loadstone/dist"

// fitUniform fits a uniform law to the attribute itself by maximum
// likelihood: from the smallest to the largest value.
func fitUniform(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	law := dist.Uniform{Low: t.x[0], High: t.x[len(t.x)-1]}
	return outcome{law: law, free: 2, status: Converged}, nil
}
