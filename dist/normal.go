package dist

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
)

// Normal is the normal (Gaussian) law: density exp(-z²/2) / (Sigma sqrt(2π)) with z = (x -
// Mu)/Sigma, for all x. Workload models use it for logarithms: Ln{Inner: Normal} is the
// log-normal law of run times with an upper limit; without a limit, use LogNormal.
type Normal struct {
	Mu    float64 `law:"mean,finite"` // the mean, in the unit of x, finite
	Sigma float64 `law:"sd,>0"`       // the standard deviation, in the unit of x, above 0
}

// lnSqrt2Pi is ln sqrt(2π).
const lnSqrt2Pi = 0.918938533204672741780329736405617640

// normalLogPDF, normalCDF, normalSurvival and normalQuantile are for mean 0 and standard
// deviation 1. NaN gives NaN, as does a p outside [0, 1].

func normalLogPDF(z float64) float64 { return -z*z/2 - lnSqrt2Pi }

func normalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

func normalSurvival(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

func normalQuantile(p float64) float64 {
	if !probability(p) {
		return math.NaN()
	}
	return mathext.NormalQuantile(p)
}

func (n Normal) z(x float64) float64 { return (x - n.Mu) / n.Sigma }

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (n Normal) LogPDF(x float64) float64 { return normalLogPDF(n.z(x)) - math.Log(n.Sigma) }

func (n Normal) logDensity() func(float64) float64 {
	c := -lnSqrt2Pi - math.Log(n.Sigma)
	return func(x float64) float64 {
		z := n.z(x)
		return c - z*z/2
	}
}

// CDF returns Pr{X <= x}.
func (n Normal) CDF(x float64) float64 { return normalCDF(n.z(x)) }

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (n Normal) Survival(x float64) float64 { return normalSurvival(n.z(x)) }

// Quantile returns the smallest x with CDF(x) >= p; NaN if p is not in [0, 1].
func (n Normal) Quantile(p float64) float64 { return n.Mu + n.Sigma*normalQuantile(p) }

// InverseSurvival returns the x with Survival(x) = s.
func (n Normal) InverseSurvival(s float64) float64 { return n.Mu - n.Sigma*normalQuantile(s) }

// Rand draws one value.
func (n Normal) Rand(rng *rand.Rand) float64 {
	return n.Mu + n.Sigma*rng.NormFloat64()
}

// Mean returns the mean.
func (n Normal) Mean() float64 { return n.Mu }

// Family returns the law's name in JSON.
func (Normal) Family() string { return "normal" }

// expMean returns the integral of exp(x) times the density, up to x = limit. Apart from a factor,
// the integrand is the density of the law moved up by Sigma².
func (n Normal) expMean(limit float64) float64 {
	z := n.z(limit)
	if z-n.Sigma < farTail {
		// The factors below would be infinite and 0.
		return math.Exp(limit-z*z/2-lnSqrt2Pi) * millsRatio(n.Sigma-z)
	}
	return math.Exp(n.Mu+n.Sigma*n.Sigma/2) * normalCDF(z-n.Sigma)
}

// farTail is the z below which expMean uses millsRatio, which is accurate to the last digit
// there.
const farTail = -20

// millsRatio returns the survival function divided by the density at z, for z of 20 and more, by
// its asymptotic series.
func millsRatio(z float64) float64 {
	sum, term := 0.0, 1/z
	for n := range 9 {
		sum += term
		term *= -float64(2*n+1) / (z * z)
	}
	return sum
}
