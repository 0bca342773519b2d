package dist

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// BoundedPareto is the Pareto law conditional on being at most High: density proportional
// to x^(-Alpha-1) for x from Low to High. ln x follows an exponential law truncated at both
// ends.
//
// In the literature Alpha is above 0. Here it may be any number, so that a likelihood
// always has a maximum: with Alpha 0 the law is UniformLog, with -1 it is Uniform, and
// below 0 each decade of x has more probability than the one before it.
type BoundedPareto struct {
	Low   float64 // the smallest value, in the unit of x, above 0
	High  float64 // the largest value, finite and above Low
	Alpha float64 // the tail's index, finite, without unit
}

var _ Law = BoundedPareto{}

// The law is computed from its dense end, Low if Alpha is 0 or more and High
// otherwise: the distance of ln x from there is exponential with a rate of
// |Alpha|, given that it is at most width. dense, of the distance from there,
// is the probability to be nearer; thin, of both distances, to be farther.
// density is the log-density of the distance.

func (b BoundedPareto) width() float64 { return lnRatio(b.High, b.Low) }

func (b BoundedPareto) rate() float64 { return math.Abs(b.Alpha) }

// cutExponential is the integral of exp(-rate y) for y up to width.
func cutExponential(rate, width float64) float64 {
	if rate*width < 1e-300 {
		return width
	}
	return -math.Expm1(-rate*width) / rate
}

func (b BoundedPareto) dense(distance float64) float64 {
	return clamp(cutExponential(b.rate(), distance) / cutExponential(b.rate(), b.width()))
}

func (b BoundedPareto) thin(distance, rest float64) float64 {
	return clamp(math.Exp(-b.rate()*distance) * cutExponential(b.rate(), rest) / cutExponential(b.rate(), b.width()))
}

func (b BoundedPareto) density(distance float64) float64 {
	return -b.rate()*distance - math.Log(cutExponential(b.rate(), b.width()))
}

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (b BoundedPareto) LogPDF(x float64) float64 {
	switch {
	case x < b.Low || x > b.High:
		return math.Inf(-1)
	case b.Alpha < 0:
		return b.density(lnRatio(b.High, x)) - math.Log(x)
	}
	return b.density(lnRatio(x, b.Low)) - math.Log(x)
}

// CDF returns Pr{X <= x}.
func (b BoundedPareto) CDF(x float64) float64 {
	switch {
	case x <= b.Low:
		return 0
	case x >= b.High:
		return 1
	case b.Alpha < 0:
		return b.thin(lnRatio(b.High, x), lnRatio(x, b.Low))
	}
	return b.dense(lnRatio(x, b.Low))
}

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (b BoundedPareto) Survival(x float64) float64 {
	switch {
	case x <= b.Low:
		return 1
	case x >= b.High:
		return 0
	case b.Alpha < 0:
		return b.dense(lnRatio(b.High, x))
	}
	return b.thin(lnRatio(x, b.Low), lnRatio(b.High, x))
}

// fromDense is the distance from the dense end that is not passed with
// probability p; fromThin is the distance from the other end.
func (b BoundedPareto) fromDense(p float64) float64 {
	rate, width := b.rate(), b.width()
	if rate*width < 1e-300 {
		return p * width
	}
	return -math.Log1p(p*math.Expm1(-rate*width)) / rate
}

func (b BoundedPareto) fromThin(p float64) float64 {
	rate, width := b.rate(), b.width()
	if rate*width < 1e-300 {
		return p * width
	}
	// ln(1 + p (exp(rate width) - 1)) / rate, where the power may be huge.
	lnExpm1 := rate*width + math.Log(-math.Expm1(-rate*width))
	return num.LogAddExp(0, math.Log(p)+lnExpm1) / rate
}

// Quantile returns the smallest x with CDF(x) >= p; NaN where p is not in [0, 1].
func (b BoundedPareto) Quantile(p float64) float64 {
	switch {
	case !probability(p):
		return math.NaN()
	case p == 1:
		return b.High
	case b.Alpha < 0:
		return min(b.Low*math.Exp(b.fromThin(p)), b.High)
	}
	return min(b.Low*math.Exp(b.fromDense(p)), b.High)
}

// InverseSurvival returns the x with Survival(x) = s.
func (b BoundedPareto) InverseSurvival(s float64) float64 {
	switch {
	case !probability(s):
		return math.NaN()
	case s == 1:
		return b.Low
	case b.Alpha < 0:
		return max(b.High*math.Exp(-b.fromDense(s)), b.Low)
	}
	return max(b.High*math.Exp(-b.fromThin(s)), b.Low)
}

// Rand draws one value. It inverts the CDF directly; Quantile is more accurate near the ends.
func (b BoundedPareto) Rand(rng *rand.Rand) float64 {
	p := rng.Float64()
	rate, width := b.rate(), b.width()
	if rate*width < 1e-3 {
		return b.Quantile(p)
	}
	fall := math.Exp(-rate * width)
	if b.Alpha < 0 { // the same law seen from the upper end
		return max(b.High*math.Exp(math.Log(p+(1-p)*fall)/rate), b.Low)
	}
	return min(b.Low*math.Exp(-math.Log(1-p+p*fall)/rate), b.High)
}

// Mean returns the mean.
func (b BoundedPareto) Mean() float64 { return b.moment(1) }

// moment is the mean of x^k, for k > 0.
func (b BoundedPareto) moment(k float64) float64 {
	// The integral of x^(k-Alpha-1) over that of x^(-Alpha-1), each from the
	// end where its power is largest.
	high := min(k, max(k-b.Alpha, 0))
	return math.Pow(b.Low, k-high) * math.Pow(b.High, high) *
		(cutExponential(math.Abs(k-b.Alpha), b.width()) / cutExponential(b.rate(), b.width()))
}

// Variance returns the variance.
func (b BoundedPareto) Variance() float64 {
	if spread := min(b.width(), 1/b.rate()); spread < 0.05 {
		return b.narrowVariance()
	}
	mean := b.Mean()
	return b.moment(2) - mean*mean
}

// narrowVariance is Variance where the second moment would leave nothing of
// it: an integral of squared distances, relative to the dense end.
func (b BoundedPareto) narrowVariance() float64 {
	end, sign := b.Low, 1.0
	if b.Alpha < 0 {
		end, sign = b.High, -1
	}
	reach := b.width()
	if b.rate() > 0 {
		reach = min(reach, 50/b.rate()) // exp(-50) is beyond notice
	}
	integral := func(f func(relative float64) float64) float64 {
		return quad.Fixed(func(y float64) float64 {
			return f(math.Expm1(sign*y)) * math.Exp(b.density(y))
		}, 0, reach, 64, quad.Legendre{}, 1)
	}
	mean := integral(func(r float64) float64 { return r })
	return end * end * integral(func(r float64) float64 { return (r - mean) * (r - mean) })
}

// Family returns the law's name in JSON.
func (BoundedPareto) Family() string { return "bounded-pareto" }

// Parameters returns the parameters by their names in JSON.
func (b BoundedPareto) Parameters() []Parameter {
	return []Parameter{{"low", b.Low}, {"high", b.High}, {"alpha", b.Alpha}}
}

// Validate returns nil or a *ParameterError.
func (b BoundedPareto) Validate() error {
	switch {
	case !positive(b.Low):
		return &ParameterError{"bounded-pareto", "low", b.Low, wantPositive}
	case !finite(b.High) || b.High <= b.Low:
		return &ParameterError{"bounded-pareto", "high", b.High, "a finite number above low"}
	case !finite(b.Alpha):
		return &ParameterError{"bounded-pareto", "alpha", b.Alpha, wantFinite}
	}
	return nil
}
