package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// MaxComponents is the largest number of components of a Mixture.
const MaxComponents = 8

// Component is a law of positive values that can be part of a Mixture.
type Component interface {
	comparable
	Law
	// InverseSurvival returns the x with Survival(x) = s, for s in [0, 1].
	InverseSurvival(s float64) float64
	// Mean returns the mean; +Inf if it does not exist.
	Mean() float64
	// mixed returns the names that mixtures of the law have in JSON.
	mixed() mixed
}

// mixed holds the names of a family of mixtures in JSON. The names of the parameters of a
// component end in the number of the component, from 1.
type mixed struct {
	family      string
	weight      string // name of the weight, without the number
	weightFirst bool   // whether the weight precedes the component's parameters
}

// Weighted is a component of a Mixture.
type Weighted[L Component] struct {
	Weight float64 // probability that a value is drawn from Law, in [0, 1]
	Law    L       // the component
}

// Mixture is a mixture of one to MaxComponents laws of one family. The used
// components come first and have weights above 0 that sum to 1; the rest of
// the array is zero, which keeps the law comparable.
type Mixture[L Component] struct {
	Components [MaxComponents]Weighted[L]
}

// NewMixture returns the mixture of parts. It is an error if there are no parts or more than
// MaxComponents, or if Validate rejects the mixture.
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

// Quantile returns the smallest x with CDF(x) >= p; NaN if p is not in [0, 1].
func (m Mixture[L]) Quantile(p float64) float64 { return m.parts().quantile(p, 1-p) }

// InverseSurvival returns the x with Survival(x) = s.
func (m Mixture[L]) InverseSurvival(s float64) float64 { return m.parts().quantile(1-s, s) }

// Rand draws a component, with one number from rng, and then a value from it.
func (m Mixture[L]) Rand(rng *rand.Rand) float64 { return m.parts().rand(rng) }

// Mean returns the mean.
func (m Mixture[L]) Mean() float64 { return m.parts().mean() }

func (m Mixture[L]) expMean(limit float64) float64 { return m.parts().expMean(limit) }

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
		if err := validate(m.Family(), c.Law, i+1); err != nil {
			return err
		}
		sum += c.Weight
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		w := m.names().weight
		return &ParameterError{m.Family(), fmt.Sprintf("the sum of %s, %s, ...", numbered(w, 1), numbered(w, 2)), sum, "1"}
	}
	return nil
}

func (m *Mixture[L]) weightError(i int) error {
	return &ParameterError{m.Family(), numbered(m.names().weight, i+1), m.Components[i].Weight, "a number above 0 and at most 1"}
}

func (m *Mixture[L]) names() mixed {
	var l L
	return l.mixed()
}

// Family returns the law's name in JSON.
func (m Mixture[L]) Family() string { return m.names().family }

// Parameters returns the weights and the parameters of the components, with numbered names.
func (m Mixture[L]) Parameters() []Parameter { return m.parts().parameters() }

// parts implements the functions of mixtures. Parts of weight 0 are ignored.
type parts[L Component] []Weighted[L]

func (m parts[L]) logPDF(x float64) float64 {
	if math.IsNaN(x) {
		return x
	}
	sum := math.Inf(-1)
	for _, c := range m {
		if c.Weight > 0 {
			sum = num.LogAddExp(sum, math.Log(c.Weight)+c.Law.LogPDF(x))
		}
	}
	return sum
}

// lnDensity is a law with a log-density at x > 0 that needs no logarithm, once prepared, other
// than that of x, which all parts of a mixture share.
type lnDensity interface {
	lnDensity() func(x, lnX float64) float64
}

func (m parts[L]) logDensity() func(float64) float64 {
	type part struct {
		lnWeight float64
		at       func(x, lnX float64) float64
	}
	densities := make([]part, 0, len(m))
	for _, c := range m {
		if c.Weight > 0 {
			at := func(x, _ float64) float64 { return c.Law.LogPDF(x) }
			if l, ok := any(c.Law).(lnDensity); ok {
				at = l.lnDensity()
			}
			densities = append(densities, part{math.Log(c.Weight), at})
		}
	}
	return func(x float64) float64 {
		if !(x > 0) || math.IsInf(x, 1) {
			return m.logPDF(x)
		}
		lnX, sum := math.Log(x), math.Inf(-1)
		for _, d := range densities {
			sum = num.LogAddExp(sum, d.lnWeight+d.at(x, lnX))
		}
		return sum
	}
}

// sum returns the weighted sum of f over the laws of the parts.
func (m parts[L]) sum(f func(*L) float64) float64 {
	sum := 0.0
	for i := range m {
		if m[i].Weight > 0 {
			sum += m[i].Weight * f(&m[i].Law)
		}
	}
	return sum
}

func (m parts[L]) cdf(x float64) float64 {
	return clamp(m.sum(func(l *L) float64 { return (*l).CDF(x) }))
}

func (m parts[L]) survival(x float64) float64 {
	return clamp(m.sum(func(l *L) float64 { return (*l).Survival(x) }))
}

func (m parts[L]) mean() float64 { return m.sum(func(l *L) float64 { return (*l).Mean() }) }

// expMean returns the integral of exp(x) times the density, up to x = limit; NaN if the
// components have no closed form for it.
func (m parts[L]) expMean(limit float64) float64 {
	return m.sum(func(l *L) float64 {
		if e, ok := any(*l).(expMeaner); ok {
			return e.expMean(limit)
		}
		return math.NaN()
	})
}

// quantile returns the x with CDF p and survival s = 1-p, by matching the smaller of the two; NaN
// if they are not in [0, 1]. The quantiles of the components bracket it.
func (m parts[L]) quantile(p, s float64) float64 {
	switch {
	case !probability(p) || !probability(s):
		return math.NaN()
	case p == 0:
		return 0
	case s == 0:
		return math.Inf(1)
	}
	lo, hi := math.Inf(1), 0.0
	for _, c := range m {
		if c.Weight <= 0 {
			continue
		}
		x := c.Law.Quantile(p)
		if s < p {
			x = c.Law.InverseSurvival(s)
		}
		lo, hi = min(lo, x), max(hi, x)
	}
	if lo == hi || hi == 0 {
		return hi
	}
	// If a quantile is outside the range of floating-point numbers, the bracket ends there.
	a, b := math.Log(max(lo, math.SmallestNonzeroFloat64)), math.Log(min(hi, math.MaxFloat64))
	target := math.Log(min(p, s))
	excess := func(w float64) float64 {
		if p <= s {
			return math.Log(m.cdf(math.Exp(w))) - target
		}
		return target - math.Log(m.survival(math.Exp(w)))
	}
	w, err := num.Root(excess, a, b, 1e-16)
	if err != nil {
		// The ends differ only in the last digits, so the signs at them are those of rounding
		// errors.
		if math.Abs(excess(a)) < math.Abs(excess(b)) {
			return lo
		}
		return hi
	}
	return math.Exp(w)
}

func (m parts[L]) rand(rng *rand.Rand) float64 {
	u := rng.Float64()
	for i := range m {
		if u -= m[i].Weight; u < 0 || i == len(m)-1 {
			return m[i].Law.Rand(rng)
		}
	}
	return math.NaN()
}

func (m parts[L]) parameters() []Parameter {
	var all []Parameter
	for i, c := range m {
		names := c.Law.mixed()
		weight := Parameter{numbered(names.weight, i+1), c.Weight}
		if names.weightFirst {
			all = append(all, weight)
		}
		for _, p := range Parameters(c.Law) {
			all = append(all, Parameter{numbered(p.Name, i+1), p.Value})
		}
		if !names.weightFirst {
			all = append(all, weight)
		}
	}
	return all
}
