package model

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
)

// GammaRunTimes implements RunTimes by two Gamma laws of ln of the run time. Lublin and Feitelson
// (2003), section 3.2.
type GammaRunTimes struct {
	// Law is the law of ln of the run time in seconds. Its P is the share of the first Gamma law
	// over all sizes. Generated jobs use the share at their size, which Line gives.
	Law LnHyperGamma `opt:"law" required:"true"`
	Line
}

// Line gives the share p of the first Gamma law of run times as a function of the size.
type Line struct {
	PIntercept float64 `opt:"p_intercept" in:"[-1e6,1e6]" required:"true"` // b in p = a size + b, clipped to [0, 1]
	PSlope     float64 `opt:"p_slope" in:"[-1,1]" required:"true"`         // a, per processor; 0 if p does not depend on the size
}

// P returns the share at a size: PSlope size + PIntercept, clipped to [0, 1]. Lublin and
// Feitelson (2003), section 3.2.3.
func (l Line) P(size int64) float64 { return min(1, max(0, l.PSlope*float64(size)+l.PIntercept)) }

// check checks the smallest probability that the limit keeps at any size. It is at the smallest
// or the largest size, because p is monotone in the size.
func (r *GammaRunTimes) check(processors int64) error {
	first, second := r.Law.First.CDF(r.Law.MaxLn), r.Law.Second.CDF(r.Law.MaxLn)
	p, q := r.P(1), r.P(processors)
	return enough("law.max_ln", r.Law.MaxLn, min(p*first+(1-p)*second, q*first+(1-q)*second))
}

// Mean implements RunTimes. The mean at any p follows from the mass and the moment of the two
// laws, without another integral.
func (r *GammaRunTimes) Mean(most float64) func(size int64) float64 {
	cut := math.Exp(r.Law.MaxLn)
	firstMass, first := moment(dist.Ln{Inner: r.Law.First}, cut, most)
	secondMass, second := moment(dist.Ln{Inner: r.Law.Second}, cut, most)
	return func(size int64) float64 {
		p := r.P(size)
		return (p*first + (1-p)*second) / (p*firstMass + (1-p)*secondMass)
	}
}

// Quantiles implements RunTimes. Values of u below the share of the first law are for that law,
// the rest for the second.
func (r *GammaRunTimes) Quantiles() func(size int64, u float64) float64 {
	first, second := r.Law.First.CDF(r.Law.MaxLn), r.Law.Second.CDF(r.Law.MaxLn) // probabilities that the limit keeps
	return func(size int64, u float64) float64 {
		p, law, mass := r.P(size), r.Law.First, first
		share := p * first / (p*first + (1-p)*second)
		if u < share || share == 1 {
			u /= share
		} else {
			law, mass, u = r.Law.Second, second, min(1, (u-share)/(1-share))
		}
		return math.Exp(min(r.Law.MaxLn, law.Quantile(u*mass)))
	}
}

// Draw implements RunTimes, in the order of draws of the authors' program: if a value is too
// long, both the law and the value are drawn again.
func (r *GammaRunTimes) Draw(rng *rand.Rand, size int64) float64 {
	p := r.P(size)
	for {
		law := r.Law.First
		if rng.Float64() >= p {
			law = r.Law.Second
		}
		if x := law.Rand(rng); x <= r.Law.MaxLn {
			return math.Exp(x)
		}
	}
}
