package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// fitPareto fits a Pareto law to the attribute itself by maximum likelihood:
// XMin is the smallest value, and Alpha one over the mean of ln(x/XMin). Both
// are biased upwards: Alpha's mean is n/(n-2) times the true one.
func fitPareto(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	if !t.logNormalSums().told() {
		return outcome{}, t.degenerate(tooAlike)
	}
	if t.inCells() || t.limit() > 0 {
		return t.paretoOfCells()
	}
	low := t.x[0]
	var jobs, sum float64
	for i, x := range t.x {
		jobs += t.sample.Counts[i]
		sum += t.sample.Counts[i] * lnRatio(x, low)
	}
	return outcome{law: dist.Pareto{XMin: low, Alpha: jobs / sum}, free: 2, status: Converged}, nil
}

// paretoOfCells is fitPareto where values are rounded, censored or cut. XMin
// lies in the first cell of jobs that ended (it is the value, where that is
// exact): a job killed before it says nothing. For each Alpha the likelihood
// has one maximum in ln XMin, and its slope along these in Alpha is found to
// be 0. A law cut at Options.Max may want an Alpha that is not above 0, which
// is then an error: bounded-pareto has such laws.
func (t task) paretoOfCells() (outcome, error) {
	if t.endedTooFew(2) {
		return outcome{}, t.degenerate(tooFewEnded)
	}
	p := newParetoCells(t.powerCells())
	slope := func(lnAlpha float64) float64 {
		alpha := math.Exp(lnAlpha)
		return p.slope(paretoOfLn{alpha, p.from(alpha)})
	}
	// From the scale of ln x, steps that double reach both sides.
	sums := t.logNormalSums()
	lo := -math.Log(math.Sqrt(sums.Squares / sums.W))
	hi := lo
	for step := 0.5; slope(lo) < 0; step *= 2 {
		if lo -= step; lo < -20 {
			return outcome{}, t.degenerate("the likeliest alpha is not above 0: a decade holds no less than the decade before it, which is no Pareto tail; bounded-pareto has such laws")
		}
	}
	for step := 0.5; slope(hi) > 0 && step < 1000; step *= 2 {
		hi += step
	}
	lnAlpha, err := num.Root(slope, lo, hi, 1e-14)
	if err != nil {
		return outcome{}, t.degenerate("the likelihood has no maximum among floating-point numbers")
	}
	alpha := math.Exp(lnAlpha)
	return outcome{law: dist.Pareto{XMin: math.Exp(p.from(alpha)), Alpha: alpha}, free: 2, status: Converged}, nil
}
