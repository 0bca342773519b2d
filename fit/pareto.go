package fit

import (
	"github.com/loadstone-hpc/loadstone/dist"
)

// fitPareto fits a Pareto law to the attribute itself by maximum likelihood:
// XMin is the smallest value, and Alpha one over the mean of ln(x/XMin). Both
// are biased upwards: Alpha's mean is n/(n-2) times the true one.
func fitPareto(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	if _, told := t.lnMoments().spread(); !told {
		return outcome{}, t.degenerate(tooAlike)
	}
	low := t.x[0]
	var jobs, sum float64
	for i, x := range t.x {
		jobs += t.sample.Counts[i]
		sum += t.sample.Counts[i] * lnRatio(x, low)
	}
	return outcome{law: dist.Pareto{XMin: low, Alpha: jobs / sum}, free: 2, status: Converged}, nil
}
