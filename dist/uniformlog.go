package dist

import (
	"math"
	"math/rand/v2"
)

// UniformLog is Downey's law of lifetimes: ln L is uniform on [ln TMin, ln TMax], so F(t) = b0 +
// b1 ln t with b0 = -b1 ln TMin and b1 = 1 / ln(TMax/TMin). The density is b1/t. Downey (1997),
// "Predicting queue times on space-sharing parallel computers", section 2.
type UniformLog struct {
	TMin float64 `law:"t_min_s,>0"`       // the shortest lifetime, in seconds, above 0
	TMax float64 `law:"t_max_s,>t_min_s"` // the longest lifetime, in seconds, finite and above TMin
}

// NewUniformLog returns the law with F(t) = intercept + slope ln t: TMin is exp(-intercept/slope)
// and TMax exp((1-intercept)/slope). It is an error (*ParameterError) if the slope is not above 0
// or a bound is outside the range of floating-point numbers.
func NewUniformLog(intercept, slope float64) (UniformLog, error) {
	if !(slope > 0) {
		return UniformLog{}, &ParameterError{"uniform-log", "slope", slope, "a finite number above 0"}
	}
	u := UniformLog{TMin: math.Exp(-intercept / slope), TMax: math.Exp((1 - intercept) / slope)}
	return u, Validate(u)
}

// width returns ln(TMax/TMin).
func (u UniformLog) width() float64 { return lnRatio(u.TMax, u.TMin) }

// lnRatio returns ln(a/b) for a, b > 0, accurate even if they are close or if a/b overflows.
func lnRatio(a, b float64) float64 {
	if r := (a - b) / b; math.Abs(r) < 0.5 {
		return math.Log1p(r)
	}
	return math.Log(a) - math.Log(b)
}

// Slope returns b1 of F(t) = b0 + b1 ln t.
func (u UniformLog) Slope() float64 { return 1 / u.width() }

// Intercept returns b0 of F(t) = b0 + b1 ln t.
func (u UniformLog) Intercept() float64 { return -math.Log(u.TMin) / u.width() }

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (u UniformLog) LogPDF(x float64) float64 {
	if x < u.TMin || x > u.TMax {
		return math.Inf(-1)
	}
	return -math.Log(x) - math.Log(u.width())
}

func (u UniformLog) logDensity() func(float64) float64 {
	c := -math.Log(u.width())
	return func(x float64) float64 {
		if x < u.TMin || x > u.TMax {
			return math.Inf(-1)
		}
		return c - math.Log(x)
	}
}

// CDF returns Pr{X <= x}.
func (u UniformLog) CDF(x float64) float64 {
	if x <= u.TMin {
		return 0
	}
	return clamp(lnRatio(x, u.TMin) / u.width())
}

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (u UniformLog) Survival(x float64) float64 {
	if x <= u.TMin {
		return 1
	}
	return clamp(lnRatio(u.TMax, x) / u.width())
}

// Quantile returns the smallest x with CDF(x) >= p; NaN if p is not in [0, 1].
func (u UniformLog) Quantile(p float64) float64 {
	if !probability(p) {
		return math.NaN()
	}
	return min(u.TMin*math.Exp(p*u.width()), u.TMax)
}

// InverseSurvival returns the t with Survival(t) = s.
func (u UniformLog) InverseSurvival(s float64) float64 {
	if !probability(s) {
		return math.NaN()
	}
	return max(u.TMax*math.Exp(-s*u.width()), u.TMin)
}

// Rand draws one value.
func (u UniformLog) Rand(rng *rand.Rand) float64 { return u.Quantile(rng.Float64()) }

// Mean returns (TMax-TMin) / ln(TMax/TMin).
func (u UniformLog) Mean() float64 { return (u.TMax - u.TMin) / u.width() }

// The methods below are for a job that has run for age seconds. age may be below TMin, where
// F(age) is 0; the true age still counts. For a job as old as TMax there is no conditional law:
// the methods return 0, "ends at once". That is a poor prediction, so callers should check
// Outlived first and have a rule of their own.

// Outlived reports whether age has left the support: age >= TMax.
func (u UniformLog) Outlived(age float64) bool { return age >= u.TMax }

// SurvivalGiven returns Pr{L > age+t | L > age} for age, t >= 0. It is 0 if Outlived(age).
func (u UniformLog) SurvivalGiven(age, t float64) float64 {
	switch {
	case u.Outlived(age):
		return 0
	case age <= u.TMin:
		return u.Survival(age + t)
	case t <= 0:
		return 1
	}
	return clamp(1 - math.Log1p(t/age)/lnRatio(u.TMax, age))
}

// MedianRemaining returns the median of L - age given L > age, which is sqrt(age TMax) - age with
// a maximum at age = TMax/4. It is 0 if Outlived(age).
func (u UniformLog) MedianRemaining(age float64) float64 {
	if u.Outlived(age) {
		return 0
	}
	from := max(age, u.TMin)
	return math.Sqrt(from)*math.Sqrt(u.TMax) - age
}

// MeanRemaining returns the mean of L - age given L > age, which is (TMax-age)/ln(TMax/age) -
// age. It is 0 if Outlived(age).
func (u UniformLog) MeanRemaining(age float64) float64 {
	if u.Outlived(age) {
		return 0
	}
	from := max(age, u.TMin)
	return (u.TMax-from)/lnRatio(u.TMax, from) - age
}

// Family returns the law's name in JSON.
func (UniformLog) Family() string { return "uniform-log" }
