package dist

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// mixture is the arithmetic that HyperGamma and GammaMixture share.
type mixture []WeightedGamma

func (m mixture) logPDF(x float64) float64 {
	sum := math.Inf(-1)
	for _, c := range m {
		if c.Weight > 0 {
			sum = num.LogAddExp(sum, num.Log(c.Weight)+c.Gamma.LogPDF(x))
		}
	}
	return sum
}

func (m mixture) logDensity() func(float64) float64 {
	densities := make([]GammaDensity, 0, len(m))
	for _, c := range m {
		if c.Weight > 0 {
			d := NewGammaDensity(c.Gamma)
			d.constant += num.Log(c.Weight)
			densities = append(densities, d)
		}
	}
	return func(x float64) float64 {
		if !(x > 0) || math.IsInf(x, 1) {
			return m.logPDF(x)
		}
		lnX := num.Log(x)
		sum := math.Inf(-1)
		for _, d := range densities {
			sum = num.LogAddExp(sum, d.At(x, lnX))
		}
		return sum
	}
}

func (m mixture) cdf(x float64) float64 {
	sum := 0.0
	for _, c := range m {
		sum += c.Weight * c.Gamma.CDF(x)
	}
	return clamp(sum)
}

func (m mixture) survival(x float64) float64 {
	sum := 0.0
	for _, c := range m {
		sum += c.Weight * c.Gamma.Survival(x)
	}
	return clamp(sum)
}

// quantile returns the x with CDF p and survival s = 1-p, of which the
// smaller is matched. The components' own quantiles bracket it.
func (m mixture) quantile(p, s float64) float64 {
	switch {
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
		x := c.Gamma.Quantile(p)
		if s < p {
			x = c.Gamma.InverseSurvival(s)
		}
		lo, hi = min(lo, x), max(hi, x)
	}
	if lo == hi || hi == 0 {
		return hi
	}
	lo = max(lo, math.SmallestNonzeroFloat64)
	target := num.Log(min(p, s))
	excess := func(w float64) float64 {
		if p <= s {
			return num.Log(m.cdf(num.Exp(w))) - target
		}
		return target - num.Log(m.survival(num.Exp(w)))
	}
	a, b := num.Log(lo), num.Log(hi)
	w, err := num.Root(excess, a, b, 1e-16)
	if err != nil {
		// The ends agree to the last digits, with rounding's signs.
		if math.Abs(excess(a)) < math.Abs(excess(b)) {
			return lo
		}
		return hi
	}
	return num.Exp(w)
}

func (m mixture) mean() float64 {
	sum := 0.0
	for _, c := range m {
		sum += c.Weight * c.Gamma.Mean()
	}
	return sum
}

func (m mixture) variance() float64 {
	mean, sum := m.mean(), 0.0
	for _, c := range m {
		d := c.Gamma.Mean() - mean
		sum += c.Weight * (c.Gamma.Variance() + d*d)
	}
	return sum
}

func (m mixture) expMoment(k, limit float64) float64 {
	sum := 0.0
	for _, c := range m {
		if c.Weight > 0 {
			sum += c.Weight * c.Gamma.expMoment(k, limit)
		}
	}
	return sum
}
