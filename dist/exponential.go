package dist

import (
	"math"
	"math/rand/v2"
)

// Exponential is the exponential law: density exp(-x/Mean)/Mean for x >= 0.
type Exponential struct {
	Mean float64 `law:"mean,>0"` // mean, in the unit of x, above 0
}

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (e Exponential) LogPDF(x float64) float64 {
	if x < 0 {
		return math.Inf(-1)
	}
	return -math.Log(e.Mean) - x/e.Mean
}

// CDF returns Pr{X <= x}.
func (e Exponential) CDF(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return -math.Expm1(-x / e.Mean)
}

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (e Exponential) Survival(x float64) float64 {
	if x <= 0 {
		return 1
	}
	return math.Exp(-x / e.Mean)
}

// Quantile returns the smallest x with CDF(x) >= p; NaN if p is not in [0, 1].
func (e Exponential) Quantile(p float64) float64 {
	if !probability(p) {
		return math.NaN()
	}
	return -math.Log1p(-p) * e.Mean
}

// InverseSurvival returns the x with Survival(x) = s.
func (e Exponential) InverseSurvival(s float64) float64 {
	if !probability(s) {
		return math.NaN()
	}
	return math.Abs(math.Log(s)) * e.Mean
}

// Rand draws one value.
func (e Exponential) Rand(rng *rand.Rand) float64 { return e.Mean * rng.ExpFloat64() }

// Family returns the law's name in JSON.
func (Exponential) Family() string { return "exponential" }

// expMean returns the integral of exp(x) times the density, up to x = limit.
func (e Exponential) expMean(limit float64) float64 {
	return Gamma{Shape: 1, Scale: e.Mean}.expMean(limit)
}
