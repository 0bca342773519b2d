package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// LogNormalSums are what a log-normal law's likelihood needs to know of a
// sample: the zero value is an empty one. Adding one by one and merging parts
// agree, so a fit can run over partitions. Squared distances are kept from the
// mean, not from 0 (Chan, Golub and LeVeque 1983), so that narrow laws far out
// keep their digits.
type LogNormalSums struct {
	W       float64 // sum of the weights: the number of jobs
	Mean    float64 // mean of the logarithms
	Squares float64 // sum of their squared distances from Mean
}

// Add adds w jobs of value x > 0.
func (s *LogNormalSums) Add(x, w float64) { s.Merge(LogNormalSums{W: w, Mean: math.Log(x)}) }

// Merge adds all that o has seen.
func (s *LogNormalSums) Merge(o LogNormalSums) {
	w := s.W + o.W
	if !(w > 0) {
		return
	}
	d := o.Mean - s.Mean
	s.Squares += o.Squares + d*d*(s.W*o.W/w)
	s.Mean += d * (o.W / w)
	s.W = w
}

// narrowestOfLn is the standard deviation of ln x, in units of the larger of
// 1 and its mean, below which it is rounding error of the logarithms.
const narrowestOfLn = 1e-10

// Told says whether the logarithms differ by more than their rounding.
func (s LogNormalSums) Told() bool {
	return s.W > 0 && math.Sqrt(s.Squares/s.W) > narrowestOfLn*max(1, math.Abs(s.Mean))
}

// ML returns the log-normal law of maximum likelihood: the mean of the
// logarithms, and the root of their mean squared distance from it, divided by
// n, not n-1. ok is false where there is none: no weight, or all values equal.
func (s LogNormalSums) ML() (law dist.LogNormal, ok bool) {
	if !s.Told() {
		return dist.LogNormal{}, false
	}
	law = dist.LogNormal{Mu: s.Mean, Sigma: math.Sqrt(s.Squares / s.W)}
	return law, law.Validate() == nil
}
