package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/tails"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// fitPareto fits a Pareto law to the attribute itself by maximum likelihood:
// XMin is the smallest value, and Alpha one over the mean of ln(x/XMin). Both
// are biased upwards: Alpha's mean is n/(n-2) times the true one.
func fitPareto(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	if !t.logNormalSums().Told() {
		return outcome{}, t.degenerate(tooAlike)
	}
	low := t.x[0]
	var jobs, sum float64
	for i, x := range t.x {
		jobs += t.sample.Counts[i]
		sum += t.sample.Counts[i] * tails.LnRatio(x, low)
	}
	return outcome{law: dist.Pareto{XMin: low, Alpha: jobs / sum}, free: 2, status: Converged}, nil
}

// fitBoundedPareto fits a bounded Pareto law to the attribute itself by
// maximum likelihood: its bounds are the smallest and the largest value, and
// Alpha solves the likelihood equation (Aban, Meerschaert and Panorska 2006,
// "Parameter estimation for the truncated Pareto distribution").
// It comes out at or below 0 where the mean of ln x is not below the middle of
// its range.
func fitBoundedPareto(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	if !t.logNormalSums().Told() {
		return outcome{}, t.degenerate(tooAlike)
	}
	low, high := t.x[0], t.x[len(t.x)-1]
	var up, down float64 // sums of the distances of ln x from its ends
	for i, x := range t.x {
		up += t.sample.Counts[i] * tails.LnRatio(x, low)
		down += t.sample.Counts[i] * tails.LnRatio(high, x)
	}
	rate := cutExponentialRate(min(up, down)/(up+down)) / tails.LnRatio(high, low)
	law := dist.BoundedPareto{Low: low, High: high, Alpha: rate}
	out := outcome{free: 3, status: Converged}
	if down < up {
		law.Alpha = -rate
	}
	if law.Alpha <= 0 {
		out.warnings = []string{fmt.Sprintf("alpha is %.3g, not above 0: a decade of %s holds no less than the decade before it, which is no Pareto tail", law.Alpha, t.attribute)}
	}
	out.law = law
	return out, nil
}

// cutExponentialRate is the rate of an exponential law cut at 1 whose mean is
// mean, in (0, 1/2]: it solves 1/rate - 1/(exp(rate)-1) = mean, whose left
// side falls from 1/2.
func cutExponentialRate(mean float64) float64 {
	excess := func(rate float64) float64 {
		if rate < 0.05 { // where the difference loses its digits
			return 0.5 - mean - rate/12*(1-rate*rate/60*(1-rate*rate/42))
		}
		return 1/rate - 1/math.Expm1(rate) - mean
	}
	rate, err := num.Root(excess, 0, 1/mean, 0)
	if err != nil { // mean is 1/2 but for its last bit
		return 0
	}
	return rate
}
