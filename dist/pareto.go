package dist

import (
	"math"
	"math/rand/v2"
)

// Pareto is the Pareto law of type I: Pr{X > x} = (XMin/x)^Alpha for x >= XMin. The median
// remaining time is proportional to the age. The mean is infinite if Alpha is at most 1, the
// variance if Alpha is at most 2.
type Pareto struct {
	XMin  float64 `law:"x_min,>0"` // the smallest value, in the unit of x, above 0
	Alpha float64 `law:"alpha,>0"` // the tail's index, above 0, without unit
}

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (p Pareto) LogPDF(x float64) float64 {
	if x < p.XMin || math.IsInf(x, 1) {
		return math.Inf(-1)
	}
	return math.Log(p.Alpha) - math.Log(x) - p.Alpha*lnRatio(x, p.XMin)
}

// CDF returns Pr{X <= x}.
func (p Pareto) CDF(x float64) float64 {
	if x <= p.XMin {
		return 0
	}
	return -math.Expm1(-p.Alpha * lnRatio(x, p.XMin))
}

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (p Pareto) Survival(x float64) float64 {
	if x <= p.XMin {
		return 1
	}
	return math.Exp(-p.Alpha * lnRatio(x, p.XMin))
}

// Quantile returns the smallest x with CDF(x) >= q; NaN if q is not in [0, 1].
func (p Pareto) Quantile(q float64) float64 {
	if !probability(q) {
		return math.NaN()
	}
	return p.XMin * math.Exp(-math.Log1p(-q)/p.Alpha)
}

// InverseSurvival returns the x with Survival(x) = s.
func (p Pareto) InverseSurvival(s float64) float64 {
	if !probability(s) {
		return math.NaN()
	}
	return p.XMin * math.Exp(-math.Log(s)/p.Alpha)
}

// Rand draws one value.
func (p Pareto) Rand(rng *rand.Rand) float64 { return p.XMin * math.Exp(rng.ExpFloat64()/p.Alpha) }

// Mean returns Alpha XMin/(Alpha-1), +Inf for Alpha at most 1.
func (p Pareto) Mean() float64 {
	if p.Alpha <= 1 {
		return math.Inf(1)
	}
	return p.XMin * (p.Alpha / (p.Alpha - 1))
}

// Family returns the law's name in JSON.
func (Pareto) Family() string { return "pareto" }
