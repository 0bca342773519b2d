package dist

import (
	"math"
	"math/rand/v2"
)

// Uniform is the uniform law on [Low, High]: density 1/(High-Low).
type Uniform struct {
	Low  float64 `law:"low,finite"` // the smallest value, finite
	High float64 `law:"high,>low"`  // the largest value, finite and above Low
}

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (u Uniform) LogPDF(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x < u.Low || x > u.High:
		return math.Inf(-1)
	}
	return -math.Log(u.High - u.Low)
}

// CDF returns Pr{X <= x}.
func (u Uniform) CDF(x float64) float64 { return clamp((x - u.Low) / (u.High - u.Low)) }

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (u Uniform) Survival(x float64) float64 { return clamp((u.High - x) / (u.High - u.Low)) }

// Quantile returns the smallest x with CDF(x) >= p; NaN if p is not in [0, 1].
func (u Uniform) Quantile(p float64) float64 {
	if !probability(p) {
		return math.NaN()
	}
	return between(u.Low, u.High, p)
}

// InverseSurvival returns the x with Survival(x) = s.
func (u Uniform) InverseSurvival(s float64) float64 {
	if !probability(s) {
		return math.NaN()
	}
	return between(u.High, u.Low, s)
}

// Rand draws one value.
func (u Uniform) Rand(rng *rand.Rand) float64 { return between(u.Low, u.High, rng.Float64()) }

// Mean returns the mean.
func (u Uniform) Mean() float64 { return u.Low + (u.High-u.Low)/2 }

// Family returns the law's name in JSON.
func (Uniform) Family() string { return "uniform" }

// expMean returns the integral of exp(x) times the density, up to x = limit.
func (u Uniform) expMean(limit float64) float64 {
	high := min(u.High, limit)
	if high <= u.Low {
		return 0
	}
	return math.Exp(u.Low) * math.Expm1(high-u.Low) / (u.High - u.Low)
}

// clamp limits p to [0, 1], which a probability may leave by rounding or by an argument outside
// the support. NaN remains NaN.
func clamp(p float64) float64 {
	if p < 0 {
		return 0
	}
	if p > 1 {
		return 1
	}
	return p
}

// between returns a + (b-a) p, but not beyond b.
func between(a, b, p float64) float64 {
	x := a + (b-a)*p
	if a <= b {
		return min(x, b)
	}
	return max(x, b)
}
