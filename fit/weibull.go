package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/tails"
)

// fitWeibull fits a Weibull law to the attribute itself by maximum likelihood:
// not by moments, nor by a line through the Weibull plot. Where values are
// rounded, censored or cut, it climbs from there to the maximum over cells.
func fitWeibull(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	sums := t.logNormalSums()
	if !sums.Told() {
		return outcome{}, t.degenerate(tooAlike)
	}
	law, ok := tails.WeibullML(t.x, t.sample.Counts, math.Sqrt(sums.Squares/sums.W))
	if !ok {
		return outcome{}, t.degenerate("the likelihood has no maximum among floating-point numbers")
	}
	if t.inCells() || t.limit() > 0 {
		return t.weibullOfCells(law)
	}
	return outcome{law: law, free: 2, status: Converged}, nil
}

// weibullOfCells is the law of maximum likelihood of cells, from a start.
func (t task) weibullOfCells(start dist.Weibull) (outcome, error) {
	if t.endedTooFew(2) {
		return outcome{}, t.degenerate(tooFewEnded)
	}
	law, iterations, converged := t.weibullCells().Weibull(start)
	if err := law.Validate(); err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	// Narrower than the cells there is nothing to tell.
	if spread := math.Pi / math.Sqrt(6) / law.Shape; spread < Ln.width(math.Log(law.Scale), t.options.Resolution)/math.Sqrt(12) {
		return outcome{}, t.degenerate(tooAlike)
	}
	if err := t.cutTooFar(law); err != nil {
		return outcome{}, err
	}
	return outcome{law: law, free: 2, status: endOf(converged), iterations: iterations}, nil
}

// weibullCells are the task's values for a Weibull law.
func (t task) weibullCells() tails.Cells {
	return tails.New(t.lnPoints(), math.Log(t.end()), t.options.Workers)
}
