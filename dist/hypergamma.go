package dist

import (
	"math"
	"math/rand/v2"
)

// HyperGamma is a mixture of two Gamma laws: First with probability P, Second
// otherwise. Lublin and Feitelson (2003), section 3.2, use it for ln of run
// times and of total work, First being the shorter mode. For more components
// there is GammaMixture.
type HyperGamma struct {
	First  Gamma
	Second Gamma
	P      float64 // the share of First, in [0, 1]
}

var _ Law = HyperGamma{}

func (h HyperGamma) parts() [2]WeightedGamma {
	return [2]WeightedGamma{{h.P, h.First}, {1 - h.P, h.Second}}
}

func (h HyperGamma) LogPDF(x float64) float64 {
	p := h.parts()
	return mixture(p[:]).logPDF(x)
}

func (h HyperGamma) logDensity() func(float64) float64 {
	p := h.parts()
	return mixture(p[:]).logDensity()
}

func (h HyperGamma) CDF(x float64) float64 {
	return clamp(h.P*h.First.CDF(x) + (1-h.P)*h.Second.CDF(x))
}

func (h HyperGamma) Survival(x float64) float64 {
	return clamp(h.P*h.First.Survival(x) + (1-h.P)*h.Second.Survival(x))
}

func (h HyperGamma) Quantile(p float64) float64 {
	if !probability(p) {
		return math.NaN()
	}
	parts := h.parts()
	return mixture(parts[:]).quantile(p, 1-p)
}

// InverseSurvival returns the x with Survival(x) = s.
func (h HyperGamma) InverseSurvival(s float64) float64 {
	if !probability(s) {
		return math.NaN()
	}
	parts := h.parts()
	return mixture(parts[:]).quantile(1-s, s)
}

// Rand draws the component with one number from rng, then from it.
func (h HyperGamma) Rand(rng *rand.Rand) float64 {
	if rng.Float64() < h.P {
		return h.First.Rand(rng)
	}
	return h.Second.Rand(rng)
}

func (h HyperGamma) Mean() float64 { return h.P*h.First.Mean() + (1-h.P)*h.Second.Mean() }

func (h HyperGamma) Variance() float64 {
	p := h.parts()
	return mixture(p[:]).variance()
}

// Validate returns nil or a *ParameterError.
func (h HyperGamma) Validate() error {
	for i, g := range []Gamma{h.First, h.Second} {
		if err := validateComponent("hyper-gamma", i, g); err != nil {
			return err
		}
	}
	if !probability(h.P) {
		return &ParameterError{"hyper-gamma", "p", h.P, wantProbability}
	}
	return nil
}

func (h HyperGamma) expMoment(k, limit float64) float64 {
	p := h.parts()
	return mixture(p[:]).expMoment(k, limit)
}
