package dist

import (
	"math"
	"math/rand/v2"
)

// Law is a continuous probability law on the real line.
//
// The methods are specified for laws that Validate accepts. x may be any number; a NaN gives NaN.
// Implementations are immutable values, safe to share between goroutines, and comparable with ==.
type Law interface {
	// LogPDF returns the natural logarithm of the density at x: -Inf outside the support, +Inf at
	// a pole. A bounded support includes its ends.
	LogPDF(x float64) float64
	// CDF returns Pr{X <= x}, with relative accuracy where it is small.
	CDF(x float64) float64
	// Survival returns Pr{X > x}, with relative accuracy where it is small.
	Survival(x float64) float64
	// Quantile returns the smallest x with CDF(x) >= p, for p in [0, 1]. It is an end of the
	// support for 0 and 1, and NaN for other p.
	Quantile(p float64) float64
	// Rand draws one value. The same source state gives the same value.
	Rand(rng *rand.Rand) float64
}

// Mean returns the mean of l. It is +Inf if the mean does not exist (as for an Ln of a Gamma law
// with a scale of 1 or more), and NaN if the law has no method Mean.
func Mean(l Law) float64 {
	switch m := l.(type) {
	case interface{ Mean() float64 }:
		return m.Mean()
	case Exponential: // whose field Mean rules out a method of that name
		return m.Mean
	}
	return math.NaN()
}

// InverseSurvival returns the x with Pr{X > x} = s, for s in [0, 1]. It uses the law's method
// InverseSurvival, which all laws of this package have and which, unlike Quantile(1-s), is
// accurate for small s.
func InverseSurvival(l Law, s float64) float64 {
	if i, ok := l.(interface{ InverseSurvival(s float64) float64 }); ok {
		return i.InverseSurvival(s)
	}
	return l.Quantile(1 - s)
}

// SurvivalGiven returns Pr{L > age+t | L > age}, the probability that a lifetime that has reached
// age lasts at least t longer. It is 0 if Pr{L > age} is 0: such an age has no conditional law,
// and the caller (package predict) has its own rule for it.
func SurvivalGiven(l Law, age, t float64) float64 {
	if g, ok := l.(interface{ SurvivalGiven(age, t float64) float64 }); ok {
		return g.SurvivalGiven(age, t)
	}
	base := l.Survival(age)
	if base == 0 {
		return 0
	}
	return min(1, l.Survival(age+t)/base)
}

// LogDensity returns a function equal to l.LogPDF up to rounding, with everything that does
// not depend on x computed once, for loops over many values.
func LogDensity(l Law) func(x float64) float64 {
	if d, ok := l.(interface{ logDensity() func(float64) float64 }); ok {
		return d.logDensity()
	}
	return l.LogPDF
}

// probability reports whether p is in [0, 1]; it is false for NaN.
func probability(p float64) bool { return p >= 0 && p <= 1 }
