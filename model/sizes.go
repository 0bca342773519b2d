package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// Probability returns the probability that a generated job has size n on a
// machine of that many processors: the serial share, the parallel jobs
// rounded to powers of two, and the others rounded to whole processors.
func (s Sizes) Probability(n, processors int64) float64 {
	if n < 1 || n > processors {
		return 0
	}
	if s.Shares != nil {
		return s.share(n)
	}
	parallel := 0.0
	if n&(n-1) == 0 {
		k := math.Round(math.Log2(float64(n)))
		hi := k + 0.5
		if 2*n > processors {
			hi = math.Inf(1) // what would be rounded up to more than the machine
		}
		parallel += s.PowerOfTwoShare * s.between(k-0.5, hi, n)
	}
	hi := math.Log2(float64(n) + 0.5)
	if n == processors {
		hi = math.Inf(1)
	}
	parallel += (1 - s.PowerOfTwoShare) * s.between(math.Log2(float64(n)-0.5), hi, n)
	p := (1 - s.SerialShare) * parallel
	if n == 1 {
		p += s.SerialShare
	}
	return p
}

// between is the probability of log2 of a size from lo to hi; the smallest
// size takes all below it.
func (s Sizes) between(lo, hi float64, n int64) float64 {
	if n == 1 {
		lo = math.Inf(-1)
	}
	if s.Log2Gamma != (dist.Gamma{}) {
		return between(s.Log2Gamma, lo, hi)
	}
	return max(0, s.Log2.CDF(hi)-s.Log2.CDF(lo))
}

// Mean returns the mean of f over the sizes of generated jobs on a machine of
// that many processors. f must be finite.
func (s Sizes) Mean(processors int64, f func(size int64) float64) float64 {
	var sum num.Sum
	if s.Shares != nil {
		for _, share := range s.Shares {
			if share.Size <= processors && share.Share > 0 {
				sum.Add(share.Share * f(share.Size))
			}
		}
		return sum.Value()
	}
	// 2^ceil(High) bounds what rounding can reach.
	largest := processors
	if s.Log2Gamma == (dist.Gamma{}) {
		largest = min(processors, int64(math.Exp2(math.Ceil(min(max(s.Log2.High, 0), 40)))))
	}
	for n := int64(1); n <= largest; n++ {
		if p := s.Probability(n, processors); p > 0 {
			sum.Add(p * f(n))
		}
	}
	return sum.Value()
}
