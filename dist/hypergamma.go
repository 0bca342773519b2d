package dist

import "math/rand/v2"

// HyperGamma is a mixture of two Gamma laws: First with probability P, Second otherwise. Lublin
// and Feitelson (2003), section 3.2, use it for ln of run times and of total work, with First as
// the shorter mode. GammaMixture has more components.
type HyperGamma struct {
	First  Gamma   `law:"1"`
	Second Gamma   `law:"2"`
	P      float64 `law:"p,[0,1]"` // the share of First, in [0, 1]
}

// parts returns h as a mixture, in an array that the methods below slice.
func (h HyperGamma) parts() [2]WeightedGamma {
	return [2]WeightedGamma{{h.P, h.First}, {1 - h.P, h.Second}}
}

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (h HyperGamma) LogPDF(x float64) float64 {
	p := h.parts()
	return parts[Gamma](p[:]).logPDF(x)
}

func (h HyperGamma) logDensity() func(float64) float64 {
	p := h.parts()
	return parts[Gamma](p[:]).logDensity()
}

// CDF returns Pr{X <= x}.
func (h HyperGamma) CDF(x float64) float64 {
	return clamp(h.P*h.First.CDF(x) + (1-h.P)*h.Second.CDF(x))
}

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (h HyperGamma) Survival(x float64) float64 {
	return clamp(h.P*h.First.Survival(x) + (1-h.P)*h.Second.Survival(x))
}

// Quantile returns the smallest x with CDF(x) >= q; NaN if q is not in [0, 1].
func (h HyperGamma) Quantile(q float64) float64 {
	p := h.parts()
	return parts[Gamma](p[:]).quantile(q, 1-q)
}

// InverseSurvival returns the x with Survival(x) = s.
func (h HyperGamma) InverseSurvival(s float64) float64 {
	p := h.parts()
	return parts[Gamma](p[:]).quantile(1-s, s)
}

// Rand draws a component, with one number from rng, and then a value from it.
func (h HyperGamma) Rand(rng *rand.Rand) float64 {
	if rng.Float64() < h.P {
		return h.First.Rand(rng)
	}
	return h.Second.Rand(rng)
}

// Mean returns the mean.
func (h HyperGamma) Mean() float64 {
	return h.P*h.First.Mean() + (1-h.P)*h.Second.Mean()
}

func (h HyperGamma) expMean(limit float64) float64 {
	return h.P*h.First.expMean(limit) + (1-h.P)*h.Second.expMean(limit)
}

// Family returns the law's name in JSON.
func (HyperGamma) Family() string { return "hyper-gamma" }
