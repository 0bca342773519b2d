package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// MaxComponents is the largest number of components of a GammaMixture.
const MaxComponents = 8

// WeightedGamma is a component of a GammaMixture.
type WeightedGamma struct {
	Weight float64 // its share, in [0, 1]
	Gamma  Gamma
}

// GammaMixture is a mixture of one to MaxComponents Gamma laws. The used
// components come first and have weights above 0 that sum to 1; the rest of
// the array is zero, which keeps the law comparable. Lublin's law, with two
// components, has a type of its own: HyperGamma.
type GammaMixture struct {
	Components [MaxComponents]WeightedGamma
}

var _ Law = GammaMixture{}

// NewGammaMixture returns the mixture of parts. It is an error if there are
// none or more than MaxComponents, or if Validate rejects the mixture.
func NewGammaMixture(parts ...WeightedGamma) (GammaMixture, error) {
	var m GammaMixture
	if len(parts) < 1 || len(parts) > MaxComponents {
		return m, fmt.Errorf("gamma-mixture: %d components, want 1 to %d", len(parts), MaxComponents)
	}
	copy(m.Components[:], parts)
	if used := len(m.Parts()); used < len(parts) {
		return m, m.weightError(used)
	}
	return m, m.Validate()
}

// Parts returns the components in use.
func (m GammaMixture) Parts() []WeightedGamma {
	return m.Components[:m.used()]
}

func (m *GammaMixture) used() int {
	for i, c := range m.Components {
		if c.Weight == 0 {
			return i
		}
	}
	return MaxComponents
}

func (m GammaMixture) LogPDF(x float64) float64 { return mixture(m.Parts()).logPDF(x) }

func (m GammaMixture) logDensity() func(float64) float64 { return mixture(m.Parts()).logDensity() }

func (m GammaMixture) CDF(x float64) float64 { return mixture(m.Parts()).cdf(x) }

func (m GammaMixture) Survival(x float64) float64 { return mixture(m.Parts()).survival(x) }

func (m GammaMixture) Quantile(p float64) float64 {
	if !probability(p) {
		return math.NaN()
	}
	return mixture(m.Parts()).quantile(p, 1-p)
}

// InverseSurvival returns the x with Survival(x) = s.
func (m GammaMixture) InverseSurvival(s float64) float64 {
	if !probability(s) {
		return math.NaN()
	}
	return mixture(m.Parts()).quantile(1-s, s)
}

// Rand draws the component with one number from rng, then from it.
func (m GammaMixture) Rand(rng *rand.Rand) float64 {
	u := rng.Float64()
	last := m.used() - 1
	for i := range last {
		if u -= m.Components[i].Weight; u < 0 {
			return m.Components[i].Gamma.Rand(rng)
		}
	}
	return m.Components[max(last, 0)].Gamma.Rand(rng)
}

func (m GammaMixture) Mean() float64 { return mixture(m.Parts()).mean() }

func (m GammaMixture) Variance() float64 { return mixture(m.Parts()).variance() }

// Validate returns nil or a *ParameterError.
func (m GammaMixture) Validate() error {
	n, sum := m.used(), 0.0
	for i, c := range m.Components {
		if i >= n {
			if c != (WeightedGamma{}) {
				return m.weightError(n)
			}
			continue
		}
		if !probability(c.Weight) {
			return m.weightError(i)
		}
		if err := validateComponent("gamma-mixture", i, c.Gamma); err != nil {
			return err
		}
		sum += c.Weight
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return &ParameterError{"gamma-mixture", "the sum of p_1, p_2, ...", sum, "1"}
	}
	return nil
}

func (m GammaMixture) weightError(i int) error {
	return &ParameterError{"gamma-mixture", fmt.Sprintf("p_%d", i+1), m.Components[i].Weight, "a number above 0 and at most 1"}
}

func (m GammaMixture) expMoment(k, limit float64) float64 {
	return mixture(m.Parts()).expMoment(k, limit)
}

// validateComponent names a component's parameters by its number from 1.
func validateComponent(family string, i int, g Gamma) error {
	switch {
	case !positive(g.Shape):
		return &ParameterError{family, fmt.Sprintf("shape_%d", i+1), g.Shape, wantPositive}
	case !positive(g.Scale):
		return &ParameterError{family, fmt.Sprintf("scale_%d", i+1), g.Scale, wantPositive}
	}
	return nil
}
