package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// fitWeibull fits a Weibull law to the attribute itself by maximum likelihood, not by moments or
// by a line through the Weibull plot.
func fitWeibull(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	spread, told := t.lnMoments().spread()
	if !told {
		return outcome{}, t.degenerate(tooAlike)
	}
	law, ok := weibullML(t.x, t.sample.Counts, spread)
	if !ok {
		return outcome{}, t.degenerate("the likelihood has no maximum among floating-point numbers")
	}
	return t.withKilled(outcome{law: law, free: 2, status: Converged}, func(v []float64) dist.Law {
		return dist.Weibull{Shape: law.Shape * math.Exp(v[1]), Scale: law.Scale * math.Exp(v[0]/law.Shape)}
	})
}

// weibullML returns the Weibull law of maximum likelihood for ascending values with counts.
// spread is the standard deviation of their logarithms, above 0.
//
// The shape c solves sum w x^c ln x / sum w x^c - 1/c = mean(ln x), whose left
// side rises from -Inf to ln of the largest value, so that there is one
// solution; the scale is (sum w x^c / n)^(1/c). Values are taken relative to
// the largest, so that no power overflows.
func weibullML(values, counts []float64, spread float64) (law dist.Weibull, ok bool) {
	largest := values[len(values)-1]
	y := make([]float64, len(values))
	var n, mean float64
	for i, v := range values {
		y[i] = -lnRatio(largest, v)
		n += counts[i]
		mean += counts[i] * y[i]
	}
	mean /= n
	powers := func(shape float64) (sum, tilted float64) {
		for i, y := range y {
			p := counts[i] * math.Exp(shape*y)
			sum += p
			tilted += p * y
		}
		return sum, tilted / sum
	}
	excess := func(lnShape float64) float64 {
		shape := math.Exp(lnShape)
		_, tilted := powers(shape)
		return tilted - 1/shape - mean
	}
	// The logarithm of a Weibull value has the standard deviation π/sqrt(6)/shape, which gives a
	// start. Steps that double find a bracket from there.
	lo := math.Log(math.Pi/math.Sqrt(6)) - math.Log(spread)
	hi := lo
	for step := 0.5; excess(lo) > 0 && step < 1000; step *= 2 {
		lo -= step
	}
	for step := 0.5; excess(hi) < 0 && step < 1000; step *= 2 {
		hi += step
	}
	lnShape, err := num.Root(excess, lo, hi, 1e-15)
	if err != nil {
		return dist.Weibull{}, false
	}
	shape := math.Exp(lnShape)
	sum, _ := powers(shape)
	law = dist.Weibull{Shape: shape, Scale: largest * math.Exp(math.Log(sum/n)/shape)}
	return law, dist.Validate(law) == nil
}

// lnRatio returns ln(a/b) for a >= b > 0, accurate even if they are close or if a/b overflows.
func lnRatio(a, b float64) float64 {
	if r := (a - b) / b; r < 0.5 {
		return math.Log1p(r)
	}
	return math.Log(a) - math.Log(b)
}
