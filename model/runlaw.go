package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// RunTimeLaw is the truncated law of the run times of one size, before they are
// rounded to whole seconds.
type RunTimeLaw struct {
	parts   [2]dist.Law // nil where the weight is 0
	weights [2]float64
	cut     float64 // s, 0 for none; parts are not cut by themselves
	mass    float64 // of what is below cut
	speedup float64 // by which a part's seconds are divided
	most    float64 // s, to which longer run times are cut
}

func (l RunTimeLaw) sum(f func(dist.Law) float64) (sum float64) {
	for i, w := range l.weights {
		if w > 0 {
			sum += w * f(l.parts[i])
		}
	}
	return sum
}

// CDF returns the probability of a run time up to t seconds.
func (l RunTimeLaw) CDF(t float64) float64 {
	if l.cut > 0 && t >= l.cut || t >= l.most {
		return 1
	}
	return min(1, l.sum(func(p dist.Law) float64 { return p.CDF(t * l.speedup) })/l.mass)
}

// Quantile returns the run time, in seconds, that a share p of the jobs does
// not exceed; p is in [0, 1].
func (l RunTimeLaw) Quantile(p float64) float64 {
	p = min(1, max(0, p)) * l.mass
	lo, hi := math.Inf(1), 0.0
	for i, w := range l.weights {
		if w > 0 {
			q := l.parts[i].Quantile(p)
			lo, hi = min(lo, q), max(hi, q)
		}
	}
	if l.weights[0] > 0 && l.weights[1] > 0 && lo < hi && p < 1 {
		// The components' quantiles bracket the mixture's.
		for range 80 {
			mid := math.Sqrt(lo) * math.Sqrt(hi)
			if lo == 0 {
				mid = hi / 2
			}
			if !(mid > lo && mid < hi) {
				break
			}
			if l.sum(func(l dist.Law) float64 { return l.CDF(mid) }) < p {
				lo = mid
			} else {
				hi = mid
			}
		}
	}
	if l.cut > 0 {
		hi = min(hi, l.cut)
	}
	return min(l.most, hi/l.speedup)
}
