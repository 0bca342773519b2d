package dist

import (
	"errors"
	"math"
	"math/rand/v2"
)

// Ln is the law of a T > 0 whose logarithm follows Inner, truncated above at MaxLn: ln T has the
// law Inner conditional on being at most MaxLn. Lublin and Feitelson (2003) model run times, work
// and interarrival times in this way. T has the unit of the quantity whose logarithm was taken.
//
// If Inner is a Gamma law with a scale of 1 or more, T has no finite mean unless it is
// truncated.
//
// Just below the limit, Survival is a difference of values of Inner, and has only their absolute
// accuracy, not their relative accuracy.
type Ln struct {
	Inner Law     // the law of ln T; not itself an Ln, nor nil, which gives NaN
	MaxLn float64 // the largest ln T; 0 means no limit
}

// inner returns Inner, or a law that gives NaN if there is none.
func (l Ln) inner() Law {
	if l.Inner == nil {
		return Normal{math.NaN(), math.NaN()}
	}
	return l.Inner
}

// limit returns the largest ln T, which may be +Inf.
func (l Ln) limit() float64 {
	if l.MaxLn == 0 {
		return math.Inf(1)
	}
	return l.MaxLn
}

// mass returns the probability under Inner of being at most MaxLn.
func (l Ln) mass() float64 {
	if l.MaxLn == 0 {
		return 1
	}
	return l.inner().CDF(l.MaxLn)
}

// LogPDF returns the log-density at t, in the unit of t: that of Inner at ln t, less ln t (the
// Jacobian), less the logarithm of the probability that truncation keeps.
func (l Ln) LogPDF(t float64) float64 { return l.logPDF(l.inner().LogPDF, math.Log(l.mass()), t) }

func (l Ln) logPDF(inner func(float64) float64, lnMass, t float64) float64 {
	if math.IsNaN(t) {
		return t
	}
	if t <= 0 || math.IsInf(t, 1) {
		return math.Inf(-1)
	}
	x := math.Log(t)
	if x > l.limit() {
		return math.Inf(-1)
	}
	return inner(x) - x - lnMass
}

func (l Ln) logDensity() func(float64) float64 {
	inner, lnMass := LogDensity(l.inner()), math.Log(l.mass())
	return func(t float64) float64 { return l.logPDF(inner, lnMass, t) }
}

// CDF returns Pr{T <= t}.
func (l Ln) CDF(t float64) float64 {
	if t <= 0 {
		return 0
	}
	x := math.Log(t)
	if x >= l.limit() {
		return 1
	}
	return clamp(l.inner().CDF(x) / l.mass())
}

// Survival returns Pr{T > t}, with relative accuracy in the tail except just below a limit
// (see Ln).
func (l Ln) Survival(t float64) float64 {
	if t <= 0 {
		return 1
	}
	x := math.Log(t)
	switch {
	case x >= l.limit():
		return 0
	case l.MaxLn == 0:
		return l.inner().Survival(x)
	}
	mass := l.mass()
	if f := l.inner().CDF(x); f < 0.5 {
		return clamp((mass - f) / mass)
	}
	return clamp((l.inner().Survival(x) - l.inner().Survival(l.MaxLn)) / mass)
}

// Quantile returns the smallest t with CDF(t) >= p; NaN if p is not in [0, 1].
func (l Ln) Quantile(p float64) float64 {
	if p > 0.5 {
		return l.InverseSurvival(1 - p)
	}
	return l.exp(l.inner().Quantile(p * l.mass()))
}

// InverseSurvival returns the t with Survival(t) = s.
func (l Ln) InverseSurvival(s float64) float64 {
	if s > 0.5 {
		return l.exp(l.inner().Quantile((1 - s) * l.mass()))
	}
	if l.MaxLn == 0 {
		return math.Exp(InverseSurvival(l.inner(), s))
	}
	if !probability(s) {
		return math.NaN()
	}
	if s == 0 { // the end of the support, which the computation below may miss by a bit
		return l.exp(l.inner().Quantile(1))
	}
	return l.exp(InverseSurvival(l.inner(), s*l.mass()+l.inner().Survival(l.MaxLn)))
}

// exp returns exp(x), at most exp(MaxLn).
func (l Ln) exp(x float64) float64 { return math.Exp(min(x, l.limit())) }

// rejections is the number of draws above MaxLn that Rand discards before it uses the quantile
// function, which costs more but never exceeds MaxLn.
const rejections = 64

// Rand draws from Inner until the value is at most MaxLn.
func (l Ln) Rand(rng *rand.Rand) float64 {
	limit := l.limit()
	for range rejections {
		if x := l.inner().Rand(rng); x <= limit {
			return math.Exp(x)
		}
	}
	return l.Quantile(rng.Float64())
}

// Mean returns the mean of T. It is +Inf if the mean does not exist, and NaN if Inner has no
// closed form for it (UniformLog and laws of other packages).
func (l Ln) Mean() float64 {
	if e, ok := l.inner().(expMeaner); ok {
		return e.expMean(l.limit()) / l.mass()
	}
	return math.NaN()
}

// expMeaner is a law with a closed form for the integral of exp(x) times its density up to a
// limit.
type expMeaner interface{ expMean(limit float64) float64 }

// Validate returns nil, the error of Inner, or an error about the limit.
func (l Ln) Validate() error {
	switch l.Inner.(type) {
	case nil:
		return errors.New("ln: no inner distribution")
	case Ln:
		return errors.New("ln: the inner distribution is itself of a logarithm")
	}
	if err := Validate(l.Inner); err != nil {
		return err
	}
	if !finite(l.MaxLn) {
		return &ParameterError{"ln", "max_ln", l.MaxLn, "a finite number, or 0 for no limit"}
	}
	if !(l.mass() > 0) {
		return &ParameterError{"ln", "max_ln", l.MaxLn, "a limit that leaves some of the distribution"}
	}
	return nil
}
