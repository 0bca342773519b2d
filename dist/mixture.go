package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// MaxComponents is the largest number of components of a Mixture.
const MaxComponents = 8

// Component is a law of positive values that a Mixture can be made of.
type Component interface {
	comparable
	Law
	// InverseSurvival returns the x with Survival(x) = s, for s in [0, 1].
	InverseSurvival(s float64) float64
	// Mean and Variance are +Inf where they do not exist.
	Mean() float64
	Variance() float64
	// Validate returns nil or a *ParameterError.
	Validate() error
	// Parameters returns the parameters by their names in JSON.
	Parameters() []Parameter
	// mixed returns how mixtures of the law are named in JSON.
	mixed() mixed
}

// mixed are the names of a family of mixtures in JSON. The parameters of a
// component have their number, from 1, behind their names.
type mixed struct {
	family      string
	weight      string // the weight's name, without the number
	weightFirst bool   // it stands before the component's parameters
}

// Weighted is a component of a Mixture.
type Weighted[L Component] struct {
	Weight float64 // the share of the values that Law draws, in [0, 1]
	Law    L       // the component
}

// Mixture is a mixture of one to MaxComponents laws of one family. The used
// components come first and have weights above 0 that sum to 1; the rest of
// the array is zero, which keeps the law comparable.
type Mixture[L Component] struct {
	Components [MaxComponents]Weighted[L]
}

// NewMixture returns the mixture of parts. It is an error if there are none or
// more than MaxComponents, or if Validate rejects the mixture.
func NewMixture[L Component](parts ...Weighted[L]) (Mixture[L], error) {
	var m Mixture[L]
	if len(parts) < 1 || len(parts) > MaxComponents {
		return m, fmt.Errorf("%s: %d components, want 1 to %d", m.Family(), len(parts), MaxComponents)
	}
	copy(m.Components[:], parts)
	if used := len(m.parts()); used < len(parts) {
		return m, m.weightError(used)
	}
	return m, m.Validate()
}

// Parts returns the components in use.
func (m Mixture[L]) Parts() []Weighted[L] { return m.parts() }

func (m *Mixture[L]) parts() parts[L] {
	for i := range m.Components {
		if m.Components[i].Weight == 0 {
			return m.Components[:i]
		}
	}
	return m.Components[:]
}

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (m Mixture[L]) LogPDF(x float64) float64 { return m.parts().logPDF(x) }

func (m Mixture[L]) logDensity() func(float64) float64 { return m.parts().logDensity() }

// CDF returns Pr{X <= x}.
func (m Mixture[L]) CDF(x float64) float64 { return m.parts().cdf(x) }

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (m Mixture[L]) Survival(x float64) float64 { return m.parts().survival(x) }

// Quantile returns the smallest x with CDF(x) >= p; NaN where p is not in [0, 1].
func (m Mixture[L]) Quantile(p float64) float64 { return m.parts().quantile(p, 1-p) }

// InverseSurvival returns the x with Survival(x) = s.
func (m Mixture[L]) InverseSurvival(s float64) float64 { return m.parts().quantile(1-s, s) }

// Rand draws the component with one number from rng, then from it.
func (m Mixture[L]) Rand(rng *rand.Rand) float64 { return m.parts().rand(rng) }

// Mean returns the mean.
func (m Mixture[L]) Mean() float64 { return m.parts().mean() }

// Variance returns the variance.
func (m Mixture[L]) Variance() float64 { return m.parts().variance() }

func (m Mixture[L]) expMoment(k, limit float64) float64 { return m.parts().expMoment(k, limit) }

// Validate returns nil or a *ParameterError.
func (m Mixture[L]) Validate() error {
	used, sum := m.parts(), 0.0
	for i, c := range m.Components {
		if i >= len(used) {
			if c != (Weighted[L]{}) {
				return m.weightError(len(used))
			}
			continue
		}
		if !probability(c.Weight) {
			return m.weightError(i)
		}
		if err := componentError(m.Family(), i, c.Law.Validate()); err != nil {
			return err
		}
		sum += c.Weight
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		w := m.names().weight
		return &ParameterError{m.Family(), fmt.Sprintf("the sum of %s, %s, ...", numbered(w, 0), numbered(w, 1)), sum, "1"}
	}
	return nil
}

func (m *Mixture[L]) weightError(i int) error {
	return &ParameterError{m.Family(), numbered(m.names().weight, i), m.Components[i].Weight, "a number above 0 and at most 1"}
}

func (m *Mixture[L]) names() mixed {
	var l L
	return l.mixed()
}

// Family returns the law's name in JSON.
func (m Mixture[L]) Family() string { return m.names().family }

// Parameters returns the weights and the components' parameters, with their
// numbers.
func (m Mixture[L]) Parameters() []Parameter { return m.parts().parameters() }

// numbered puts the number of component i, from 1, into a parameter's name:
// behind it, but before the unit of seconds.
func numbered(name string, i int) string {
	if base, ok := strings.CutSuffix(name, "_s"); ok {
		return fmt.Sprintf("%s_%d_s", base, i+1)
	}
	return fmt.Sprintf("%s_%d", name, i+1)
}

// componentError names the parameter of component i that err, of its
// Validate, is about.
func componentError(family string, i int, err error) error {
	p, ok := err.(*ParameterError)
	if !ok {
		return err
	}
	// What a parameter must be may name another one, as t_max_s does t_min_s.
	want := strings.ReplaceAll(p.Want, "t_min_s", numbered("t_min_s", i))
	return &ParameterError{family, numbered(p.Parameter, i), p.Value, want}
}
