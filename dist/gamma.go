package dist

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// Gamma is the Gamma law in shape-scale form: density x^(Shape-1) exp(-x/Scale) / (Γ(Shape)
// Scale^Shape) for x >= 0, mean Shape*Scale. Lublin and Feitelson (2003) call the second
// parameter a rate, but the values in their tables are scales.
type Gamma struct {
	Shape float64 `law:"shape,>0"` // above 0, without unit
	Scale float64 `law:"scale,>0"` // above 0, in the unit of x; one over the rate
}

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (g Gamma) LogPDF(x float64) float64 {
	y := x / g.Scale
	if !(y > 0) || math.IsInf(y, 1) {
		return g.logPDFEnds(x)
	}
	if g.Shape < 1 {
		// The kernel's shape must not be negative.
		return num.LogGammaKernel(g.Shape, y) + math.Log(g.Shape) - math.Log(y) - math.Log(g.Scale)
	}
	if g.Shape == 1 {
		return -y - math.Log(g.Scale)
	}
	return num.LogGammaKernel(g.Shape-1, y) - math.Log(g.Scale)
}

// logPDFEnds returns LogPDF at and beyond the ends of the support.
func (g Gamma) logPDFEnds(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x < 0 || math.IsInf(x, 1) || g.Shape > 1:
		return math.Inf(-1)
	case g.Shape == 1:
		return -math.Log(g.Scale)
	}
	return math.Inf(1)
}

// CDF returns Pr{X <= x}.
func (g Gamma) CDF(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return num.GammaP(g.Shape, x/g.Scale)
}

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (g Gamma) Survival(x float64) float64 {
	if x <= 0 {
		return 1
	}
	return num.GammaQ(g.Shape, x/g.Scale)
}

// Quantile returns the smallest x with CDF(x) >= p; NaN if p is not in [0, 1].
func (g Gamma) Quantile(p float64) float64 { return g.Scale * num.GammaPInv(g.Shape, p) }

// InverseSurvival returns the x with Survival(x) = s.
func (g Gamma) InverseSurvival(s float64) float64 { return g.Scale * num.GammaQInv(g.Shape, s) }

// Rand draws one value by the method of Marsaglia and Tsang (2000), "A simple method for
// generating gamma variables", whose cost does not grow with the shape. For a shape a below 1 it
// draws Gamma(a+1) times U^(1/a), which is Gamma(a).
func (g Gamma) Rand(rng *rand.Rand) float64 {
	shape := g.Shape
	if shape < 1 {
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	var v float64
	for {
		x := rng.NormFloat64()
		v = 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := 1 - rng.Float64() // in (0, 1], so that its logarithm is finite
		x2 := x * x
		if u < 1-0.0331*(x2*x2) {
			break
		}
		if math.Log(u) < 0.5*x2+d*(1-v+math.Log(v)) {
			break
		}
	}
	y := d * v
	if g.Shape < 1 {
		y *= math.Exp(math.Log(1-rng.Float64()) / g.Shape)
	}
	return y * g.Scale
}

// Mean returns the mean.
func (g Gamma) Mean() float64 { return g.Shape * g.Scale }

// Family returns the law's name in JSON.
func (Gamma) Family() string { return "gamma" }

// GammaDensity is the log-density of a Gamma law with everything that does not depend on x
// computed once, for loops such as those of EM. Unlike that of Gamma.LogPDF, its absolute error
// grows with the shape (3e-12 at a shape of 2000), but is negligible in a log-likelihood.
type GammaDensity struct {
	constant float64 // -ln Γ(shape) - shape ln scale
	power    float64 // shape - 1
	rate     float64 // 1 / scale
}

// NewGammaDensity prepares the log-density of g.
func NewGammaDensity(g Gamma) GammaDensity {
	lg, _ := math.Lgamma(g.Shape)
	return GammaDensity{
		constant: -lg - g.Shape*math.Log(g.Scale),
		power:    g.Shape - 1,
		rate:     1 / g.Scale,
	}
}

// LogPDF returns the log-density at x > 0; at 0 and outside the support use
// Gamma.LogPDF.
func (d GammaDensity) LogPDF(x float64) float64 { return d.At(x, math.Log(x)) }

// At returns the log-density at x > 0 given ln x, without computing a logarithm.
func (d GammaDensity) At(x, lnX float64) float64 {
	return d.constant + d.power*lnX - x*d.rate
}

func (g Gamma) logDensity() func(float64) float64 {
	d := NewGammaDensity(g)
	return func(x float64) float64 {
		if !(x > 0) || math.IsInf(x, 1) {
			return g.logPDFEnds(x)
		}
		return d.LogPDF(x)
	}
}

func (g Gamma) lnDensity() func(x, lnX float64) float64 { return NewGammaDensity(g).At }

// GammaMixture is a mixture of Gamma laws. HyperGamma is a separate type for two components,
// Lublin's law.
type GammaMixture = Mixture[Gamma]

// WeightedGamma is a component of a GammaMixture.
type WeightedGamma = Weighted[Gamma]

// NewGammaMixture returns the mixture of parts, with the errors of NewMixture.
func NewGammaMixture(parts ...WeightedGamma) (GammaMixture, error) { return NewMixture(parts...) }

func (Gamma) mixed() mixed { return mixed{family: "gamma-mixture", weight: "p"} }

// expMean returns the integral of exp(x) times the density, up to x = limit. It is a Gamma
// integral with the rate 1/Scale - 1, which may be negative if limit is finite.
func (g Gamma) expMean(limit float64) float64 {
	if !(limit > 0) {
		return 0
	}
	rate := 1 - g.Scale // in units of 1/Scale
	if math.IsInf(limit, 1) {
		if rate <= 0 {
			return math.Inf(1)
		}
		return math.Pow(rate, -g.Shape)
	}
	y := limit / g.Scale
	if z := rate * y; z > g.Shape {
		return math.Pow(rate, -g.Shape) * num.GammaP(g.Shape, z)
	} else if z >= 0 {
		// y^a/Γ(a+1) e^-z (1 + z/(a+1) + z²/((a+1)(a+2)) + ...)
		sum, term := 1.0, 1.0
		for n := g.Shape + 1; term > 1e-17*sum; n++ {
			term *= z / n
			sum += term
		}
		return math.Exp(num.LogGammaKernel(g.Shape, y)+y-z) * sum
	} else {
		// y^a/Γ(a+1) sum of |z|^n/n! a/(a+n), all terms positive; scaled
		// by e^-|z|, it is a mean over a Poisson law.
		sum := 0.0
		for n := 0.0; ; n++ {
			t := poisson(n, -z) * g.Shape / (g.Shape + n)
			sum += t
			if n > -z && t < 1e-17*sum {
				break
			}
		}
		return math.Exp(num.LogGammaKernel(g.Shape, y)+y-z) * sum
	}
}

// poisson returns the Poisson probability of n events with mean m > 0.
func poisson(n, m float64) float64 {
	if n == 0 {
		return math.Exp(-m)
	}
	return num.GammaKernel(n, m)
}
