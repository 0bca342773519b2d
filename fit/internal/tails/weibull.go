package tails

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// weibullOfLn: Pr{Y > y} = exp(-exp(shape (y - mu))).
type weibullOfLn struct{ shape, mu float64 }

// lnMass is the logarithm of the probability of [lo, hi), where lo may be -Inf and
// hi +Inf; width is hi - lo, to all its digits.
func (l weibullOfLn) lnMass(lo, hi, width float64) float64 {
	if math.IsInf(lo, -1) {
		z := l.shape * (hi - l.mu)
		if z < -650 { // exp(z) is near the least number, and 1 - exp(-exp(z)) is exp(z)
			return z
		}
		return math.Log(-math.Expm1(-math.Exp(z)))
	}
	hazard := math.Exp(l.shape * (lo - l.mu))
	if math.IsInf(hi, 1) {
		return -hazard
	}
	more := hazard * math.Expm1(l.shape*width)
	if more < 1e-290 { // the same
		return l.shape*(lo-l.mu) + math.Log(math.Expm1(l.shape*width))
	}
	return math.Log(-math.Expm1(-more)) - hazard
}

func (l weibullOfLn) lnDensity(y float64) float64 {
	z := l.shape * (y - l.mu)
	return math.Log(l.shape) + z - math.Exp(z)
}

// Weibull climbs from a law to that of maximum likelihood. The law may not be
// valid where the sample does not determine one.
func (c Cells) Weibull(start dist.Weibull) (law dist.Weibull, iterations int, converged bool) {
	mu := math.Log(start.Scale)
	of := func(v []float64) weibullOfLn {
		return weibullOfLn{start.Shape * math.Exp(v[1]), mu + v[0]/start.Shape}
	}
	at, iterations, converged := Maximum(func(v []float64) float64 { return c.logLikelihood(of(v)) / c.jobs }, []float64{0, 0})
	l := of(at)
	return dist.Weibull{Shape: l.shape, Scale: math.Exp(l.mu)}, iterations, converged
}

// WeibullML returns the Weibull law of maximum likelihood of values with counts,
// ascending, whose logarithms have a standard deviation of spread > 0.
//
// The shape c solves sum w x^c ln x / sum w x^c - 1/c = mean(ln x), whose left
// side rises from -Inf to ln of the largest value, so that there is one
// solution; the scale is (sum w x^c / n)^(1/c). Values are taken relative to
// the largest, so that no power overflows.
func WeibullML(values, counts []float64, spread float64) (law dist.Weibull, ok bool) {
	largest := values[len(values)-1]
	y := make([]float64, len(values))
	var n, mean float64
	for i, v := range values {
		y[i] = -LnRatio(largest, v)
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
	// The logarithm of a Weibull value has the standard deviation
	// π/sqrt(6)/shape: a start, from which steps that double reach both sides.
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
	return law, law.Validate() == nil
}

// LnRatio returns ln(a/b) for a >= b > 0, accurate where they are close and
// where a/b overflows.
func LnRatio(a, b float64) float64 {
	if r := (a - b) / b; r < 0.5 {
		return math.Log1p(r)
	}
	return math.Log(a) - math.Log(b)
}
