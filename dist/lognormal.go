package dist

import (
	"math"
	"math/rand/v2"
)

// LogNormal is the law of a t > 0 whose natural logarithm is normal: density exp(-z²/2) / (t
// Sigma sqrt(2π)) with z = (ln t - Mu)/Sigma. The median is exp(Mu). It is a law of t itself, so
// a fit uses all values of t. It equals Ln{Inner: Normal{Mu, Sigma}}, which can also have an
// upper limit.
//
// Far out in a tail, the rounding of ln t changes the probability by |ln t| z/Sigma units
// in the last place.
type LogNormal struct {
	Mu    float64 `law:"mu,finite"` // the mean of ln t, finite
	Sigma float64 `law:"sigma,>0"`  // the standard deviation of ln t, above 0
}

// z returns the standardized logarithm of t; -Inf for t <= 0, outside the support.
func (l LogNormal) z(t float64) float64 {
	if t <= 0 {
		return math.Inf(-1)
	}
	return (math.Log(t) - l.Mu) / l.Sigma
}

// LogPDF returns ln of the density at t, -Inf outside the support (see Law).
func (l LogNormal) LogPDF(t float64) float64 {
	if t <= 0 || math.IsInf(t, 1) {
		return math.Inf(-1)
	}
	lnT := math.Log(t)
	return normalLogPDF((lnT-l.Mu)/l.Sigma) - math.Log(l.Sigma) - lnT
}

func (l LogNormal) logDensity() func(float64) float64 {
	at := l.lnDensity()
	return func(t float64) float64 {
		if t <= 0 || math.IsInf(t, 1) {
			return math.Inf(-1)
		}
		return at(t, math.Log(t))
	}
}

func (l LogNormal) lnDensity() func(t, lnT float64) float64 {
	c := -lnSqrt2Pi - math.Log(l.Sigma)
	return func(_, lnT float64) float64 {
		z := (lnT - l.Mu) / l.Sigma
		return c - z*z/2 - lnT
	}
}

// CDF returns Pr{T <= t}.
func (l LogNormal) CDF(t float64) float64 { return normalCDF(l.z(t)) }

// Survival returns Pr{T > t}, with relative accuracy in the tail.
func (l LogNormal) Survival(t float64) float64 { return normalSurvival(l.z(t)) }

// Quantile returns the smallest t with CDF(t) >= p; NaN if p is not in [0, 1].
func (l LogNormal) Quantile(p float64) float64 {
	return math.Exp(l.Mu + l.Sigma*normalQuantile(p))
}

// InverseSurvival returns the t with Survival(t) = s.
func (l LogNormal) InverseSurvival(s float64) float64 {
	return math.Exp(l.Mu - l.Sigma*normalQuantile(s))
}

// Rand draws one value.
func (l LogNormal) Rand(rng *rand.Rand) float64 {
	return math.Exp(l.Mu + l.Sigma*rng.NormFloat64())
}

// Mean returns the mean.
func (l LogNormal) Mean() float64 { return math.Exp(l.Mu + l.Sigma*l.Sigma/2) }

// Family returns the law's name in JSON.
func (LogNormal) Family() string { return "log-normal" }
