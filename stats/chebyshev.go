package stats

import "math"

// ChebyshevBound is an upper bound on a quantile, computed from the mean and standard deviation
// alone.
type ChebyshevBound struct {
	N        int     // number of values
	Quantile float64 // the quantile that is bounded, in (0, 1)
	OneSided bool    // Cantelli's inequality instead of Chebyshev's
	Factor   float64 // number of standard deviations above the mean
	Value    float64 // the bound: mean + Factor times standard deviation
}

// Chebyshev returns the bound on the q-quantile that Sonmez and others (2009), section 4, use:
// mean + k sd with 1/k² = 1-q, so k = 2 sqrt(5) at q = 0.95. The inequality is two-sided, so the
// bound is wider than it needs to be; the one-sided bound (Cantelli) has k = sqrt(q/(1-q)). The
// standard deviation is the sample's, with divisor n-1. Value is NaN for fewer than two values or
// q outside (0, 1).
func Chebyshev(m Moments, q float64, oneSided bool) ChebyshevBound {
	b := ChebyshevBound{N: m.N(), Quantile: q, OneSided: oneSided, Factor: math.NaN()}
	switch {
	case !(q > 0 && q < 1):
	case oneSided:
		b.Factor = math.Sqrt(q / (1 - q))
	default:
		b.Factor = 1 / math.Sqrt(1-q)
	}
	b.Value = m.Mean() + b.Factor*m.StdDev()
	return b
}
