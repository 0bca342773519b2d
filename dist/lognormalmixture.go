package dist

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// WeightedLogNormal is a component of a LogNormalMixture.
type WeightedLogNormal struct {
	Weight float64 // its share, in [0, 1]
	Law    LogNormal
}

// LogNormalMixture is a mixture of one to MaxComponents log-normal laws, a law
// of t itself. As in GammaMixture, the used components come first and have
// weights above 0 that sum to 1; the rest of the array is zero, which keeps
// the law comparable.
type LogNormalMixture struct {
	Components [MaxComponents]WeightedLogNormal
}

var _ Law = LogNormalMixture{}

// NewLogNormalMixture returns the mixture of parts. It is an error if there
// are none or more than MaxComponents, or if Validate rejects the mixture.
func NewLogNormalMixture(parts ...WeightedLogNormal) (LogNormalMixture, error) {
	var m LogNormalMixture
	if len(parts) < 1 || len(parts) > MaxComponents {
		return m, fmt.Errorf("log-normal-mixture: %d components, want 1 to %d", len(parts), MaxComponents)
	}
	copy(m.Components[:], parts)
	if used := m.used(); used < len(parts) {
		return m, m.weightError(used)
	}
	return m, m.Validate()
}

// Parts returns the components in use.
func (m LogNormalMixture) Parts() []WeightedLogNormal { return m.Components[:m.used()] }

func (m *LogNormalMixture) used() int {
	for i, c := range m.Components {
		if c.Weight == 0 {
			return i
		}
	}
	return MaxComponents
}

func (m LogNormalMixture) LogPDF(t float64) float64 {
	if math.IsNaN(t) {
		return t
	}
	sum := math.Inf(-1)
	for _, c := range m.Parts() {
		sum = num.LogAddExp(sum, num.Log(c.Weight)+c.Law.LogPDF(t))
	}
	return sum
}

func (m LogNormalMixture) logDensity() func(float64) float64 {
	parts := m.Parts()
	constant := make([]float64, len(parts))
	for i, c := range parts {
		constant[i] = num.Log(c.Weight) - lnSqrt2Pi - num.Log(c.Law.Sigma)
	}
	return func(t float64) float64 {
		if t <= 0 || math.IsInf(t, 1) {
			return math.Inf(-1)
		}
		lnT, sum := num.Log(t), math.Inf(-1)
		for i, c := range parts {
			z := (lnT - c.Law.Mu) / c.Law.Sigma
			sum = num.LogAddExp(sum, constant[i]-z*z/2)
		}
		return sum - lnT
	}
}

func (m LogNormalMixture) CDF(t float64) float64 {
	return clamp(m.sum(func(l LogNormal) float64 { return l.CDF(t) }))
}

func (m LogNormalMixture) Survival(t float64) float64 {
	return clamp(m.sum(func(l LogNormal) float64 { return l.Survival(t) }))
}

// sum is the weighted sum of what f gives of the components.
func (m *LogNormalMixture) sum(f func(LogNormal) float64) float64 {
	sum := 0.0
	for _, c := range m.Components[:m.used()] {
		sum += c.Weight * f(c.Law)
	}
	return sum
}

func (m LogNormalMixture) Quantile(p float64) float64 {
	if !probability(p) {
		return math.NaN()
	}
	return num.Exp(m.lnQuantile(p, 1-p))
}

// InverseSurvival returns the t with Survival(t) = s.
func (m LogNormalMixture) InverseSurvival(s float64) float64 {
	if !probability(s) {
		return math.NaN()
	}
	return num.Exp(m.lnQuantile(1-s, s))
}

// lnQuantile returns the ln t with CDF p and survival s = 1-p, of which the
// smaller is matched. The components' own quantiles bracket it.
func (m *LogNormalMixture) lnQuantile(p, s float64) float64 {
	z := normalQuantile(p)
	if s < p {
		z = -normalQuantile(s)
	}
	if math.IsInf(z, 0) {
		return z
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range m.Components[:m.used()] {
		x := c.Law.Mu + c.Law.Sigma*z
		lo, hi = min(lo, x), max(hi, x)
	}
	if lo == hi {
		return lo
	}
	target := num.Log(min(p, s))
	excess := func(x float64) float64 {
		at := func(l LogNormal) float64 { return (x - l.Mu) / l.Sigma }
		if p <= s {
			return num.Log(m.sum(func(l LogNormal) float64 { return normalCDF(at(l)) })) - target
		}
		return target - num.Log(m.sum(func(l LogNormal) float64 { return normalSurvival(at(l)) }))
	}
	x, err := num.Root(excess, lo, hi, 1e-16)
	if err != nil {
		// The ends agree to the last digits, with rounding's signs.
		if math.Abs(excess(lo)) < math.Abs(excess(hi)) {
			return lo
		}
		return hi
	}
	return x
}

// Rand draws the component with one number from rng, then from it.
func (m LogNormalMixture) Rand(rng *rand.Rand) float64 {
	u := rng.Float64()
	last := m.used() - 1
	for i := range last {
		if u -= m.Components[i].Weight; u < 0 {
			return m.Components[i].Law.Rand(rng)
		}
	}
	return m.Components[max(last, 0)].Law.Rand(rng)
}

func (m LogNormalMixture) Mean() float64 { return m.sum(LogNormal.Mean) }

func (m LogNormalMixture) Variance() float64 {
	mean := m.Mean()
	if math.IsInf(mean, 1) {
		return mean
	}
	return m.sum(func(l LogNormal) float64 {
		d := l.Mean() - mean
		return l.Variance() + d*d
	})
}

// Validate returns nil or a *ParameterError.
func (m LogNormalMixture) Validate() error {
	n, sum := m.used(), 0.0
	for i, c := range m.Components {
		if i >= n {
			if c != (WeightedLogNormal{}) {
				return m.weightError(n)
			}
			continue
		}
		switch {
		case !probability(c.Weight):
			return m.weightError(i)
		case !finite(c.Law.Mu):
			return &ParameterError{"log-normal-mixture", fmt.Sprintf("mu_%d", i+1), c.Law.Mu, wantFinite}
		case !positive(c.Law.Sigma):
			return &ParameterError{"log-normal-mixture", fmt.Sprintf("sigma_%d", i+1), c.Law.Sigma, wantPositive}
		}
		sum += c.Weight
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return &ParameterError{"log-normal-mixture", "the sum of p_1, p_2, ...", sum, "1"}
	}
	return nil
}

func (m LogNormalMixture) weightError(i int) error {
	return &ParameterError{"log-normal-mixture", fmt.Sprintf("p_%d", i+1), m.Components[i].Weight, "a number above 0 and at most 1"}
}

// logNormalMixtureNames and newLogNormalMixtureLaw are its parameters in JSON,
// and the law of them.

func logNormalMixtureNames(components int) []string {
	var names []string
	for i := range components {
		names = append(names, fmt.Sprintf("mu_%d", i+1), fmt.Sprintf("sigma_%d", i+1), fmt.Sprintf("p_%d", i+1))
	}
	return names
}

func newLogNormalMixtureLaw(p []float64) (Law, error) {
	var parts []WeightedLogNormal
	for ; len(p) >= 3; p = p[3:] {
		parts = append(parts, WeightedLogNormal{Law: LogNormal{p[0], p[1]}, Weight: p[2]})
	}
	return NewLogNormalMixture(parts...)
}
