package dist

import (
	"math"
	"math/rand/v2"
)

// TwoStageUniform is uniform on [Low, Mid] with probability P and uniform on [Mid, High]
// otherwise: its distribution function is linear between (Low, 0), (Mid, P) and (High, 1). Lublin
// and Feitelson (2003), section 3.1, use it for log2 of the sizes of parallel jobs.
//
// The density jumps at Mid, which belongs to the lower stage. If P is 0 or 1 there is only one
// stage, and the other is not part of the support.
type TwoStageUniform struct {
	Low  float64 `law:"low,finite"` // the smallest value, finite
	Mid  float64 `law:"mid,>low"`   // the border between the stages, above Low
	High float64 `law:"high,>mid"`  // the largest value, finite and above Mid
	P    float64 `law:"p,[0,1]"`    // the share of the lower stage, in [0, 1]
}

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (u TwoStageUniform) LogPDF(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x < u.Low || x > u.High:
		return math.Inf(-1)
	case x < u.Mid || x == u.Mid && u.P > 0:
		return math.Log(u.P / (u.Mid - u.Low))
	}
	return math.Log((1 - u.P) / (u.High - u.Mid))
}

// CDF returns Pr{X <= x}.
func (u TwoStageUniform) CDF(x float64) float64 {
	if x <= u.Mid {
		return u.P * clamp((x-u.Low)/(u.Mid-u.Low))
	}
	return u.P + (1-u.P)*clamp((x-u.Mid)/(u.High-u.Mid))
}

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (u TwoStageUniform) Survival(x float64) float64 {
	if x <= u.Mid {
		return (1 - u.P) + u.P*clamp((u.Mid-x)/(u.Mid-u.Low))
	}
	return (1 - u.P) * clamp((u.High-x)/(u.High-u.Mid))
}

// Quantile returns the smallest x with CDF(x) >= p; NaN if p is not in [0, 1].
func (u TwoStageUniform) Quantile(p float64) float64 {
	switch {
	case !probability(p):
		return math.NaN()
	case p <= u.P && u.P > 0:
		return between(u.Low, u.Mid, p/u.P)
	}
	return between(u.Mid, u.High, (p-u.P)/(1-u.P))
}

// InverseSurvival returns the x with Survival(x) = s.
func (u TwoStageUniform) InverseSurvival(s float64) float64 {
	switch {
	case !probability(s):
		return math.NaN()
	case s <= 1-u.P && u.P < 1:
		return between(u.High, u.Mid, s/(1-u.P))
	}
	return between(u.Mid, u.Low, (s-(1-u.P))/u.P)
}

// Rand draws a stage and then a value in it, with two numbers from rng.
func (u TwoStageUniform) Rand(rng *rand.Rand) float64 {
	low, high := u.Mid, u.High
	if rng.Float64() < u.P {
		low, high = u.Low, u.Mid
	}
	return between(low, high, rng.Float64())
}

// Mean returns the mean.
func (u TwoStageUniform) Mean() float64 {
	return u.P*u.lower().Mean() + (1-u.P)*u.upper().Mean()
}

func (u TwoStageUniform) lower() Uniform { return Uniform{u.Low, u.Mid} }
func (u TwoStageUniform) upper() Uniform { return Uniform{u.Mid, u.High} }

// Family returns the law's name in JSON.
func (TwoStageUniform) Family() string { return "two-stage-uniform" }

// expMean returns the integral of exp(x) times the density, up to x = limit.
func (u TwoStageUniform) expMean(limit float64) float64 {
	return u.P*u.lower().expMean(limit) + (1-u.P)*u.upper().expMean(limit)
}
