package dist

import (
	"math"
	"math/rand/v2"
)

// Weibull is the Weibull law: Pr{X > x} = exp(-(x/Scale)^Shape) for x >= 0. With a Shape of 1 it
// is exponential; below 1, the expected remaining time grows with age.
type Weibull struct {
	Shape float64 `law:"shape,>0"` // above 0, without unit
	Scale float64 `law:"scale,>0"` // above 0, in the unit of x; the 63 % quantile
}

// power returns (x/Scale)^Shape, for x > 0. The logarithm is more accurate than math.Pow, whose
// error grows with the shape.
func (w Weibull) power(x float64) float64 { return math.Exp(w.Shape * lnRatio(x, w.Scale)) }

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (w Weibull) LogPDF(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x < 0 || math.IsInf(x, 1):
		return math.Inf(-1)
	case x == 0:
		switch {
		case w.Shape > 1:
			return math.Inf(-1)
		case w.Shape < 1:
			return math.Inf(1)
		}
		return -math.Log(w.Scale)
	}
	return math.Log(w.Shape) - math.Log(w.Scale) + (w.Shape-1)*lnRatio(x, w.Scale) - w.power(x)
}

// CDF returns Pr{X <= x}.
func (w Weibull) CDF(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return -math.Expm1(-w.power(x))
}

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (w Weibull) Survival(x float64) float64 {
	if x <= 0 {
		return 1
	}
	return math.Exp(-w.power(x))
}

// Quantile returns the smallest x with CDF(x) >= p; NaN if p is not in [0, 1].
func (w Weibull) Quantile(p float64) float64 {
	if !probability(p) {
		return math.NaN()
	}
	return w.Scale * math.Pow(-math.Log1p(-p), 1/w.Shape)
}

// InverseSurvival returns the x with Survival(x) = s.
func (w Weibull) InverseSurvival(s float64) float64 {
	if !probability(s) {
		return math.NaN()
	}
	return w.Scale * math.Pow(math.Abs(math.Log(s)), 1/w.Shape)
}

// Rand draws one value.
func (w Weibull) Rand(rng *rand.Rand) float64 {
	return w.Scale * math.Exp(math.Log(rng.ExpFloat64())/w.Shape)
}

// Mean returns Scale Γ(1 + 1/Shape); +Inf if that is outside the range of floating-point numbers,
// for a Shape below 0.006.
func (w Weibull) Mean() float64 { return w.Scale * math.Gamma(1+1/w.Shape) }

// Family returns the law's name in JSON.
func (Weibull) Family() string { return "weibull" }
