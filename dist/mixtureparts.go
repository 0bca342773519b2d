package dist

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// parts is the arithmetic of mixtures. Parts of weight 0 count for nothing.
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

// lnDensity is a law whose log-density at x > 0, once prepared, needs no
// logarithm but that of x, which all parts of a mixture share.
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

// sum returns the weighted sum of what f gives for the parts.
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

func (m parts[L]) variance() float64 {
	mean := m.mean()
	if math.IsInf(mean, 1) {
		return mean
	}
	return m.sum(func(l *L) float64 {
		d := (*l).Mean() - mean
		return (*l).Variance() + d*d
	})
}

// expMoment is the integral of exp(k x) times the density, up to x = limit;
// NaN where the components have no closed form for it.
func (m parts[L]) expMoment(k, limit float64) float64 {
	return m.sum(func(l *L) float64 {
		if e, ok := any(*l).(expMomenter); ok {
			return e.expMoment(k, limit)
		}
		return math.NaN()
	})
}

// quantile returns the x with CDF p and survival s = 1-p, of which the
// smaller is matched; NaN where they are no probabilities. The components' own
// quantiles bracket it.
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
	// A law whose quantile leaves the range of numbers ends the bracket there.
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
		// The ends agree to the last digits, with rounding's signs.
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
		weight := Parameter{numbered(names.weight, i), c.Weight}
		if names.weightFirst {
			all = append(all, weight)
		}
		for _, p := range c.Law.Parameters() {
			all = append(all, Parameter{numbered(p.Name, i), p.Value})
		}
		if !names.weightFirst {
			all = append(all, weight)
		}
	}
	return all
}
