package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// RunTimeLaw is the law of the run times of one size, cut, before they are
// rounded to whole seconds.
type RunTimeLaw struct {
	parts   [2]dist.Law // nil where the weight is 0
	weights [2]float64
	cut     float64 // s, 0 for none; parts are not cut by themselves
	mass    float64 // of what is below cut
	speedup float64 // by which a part's seconds are divided
	most    float64 // s, to which longer run times are cut
}

// RunTimeAt returns the law of the run times of jobs of a size. It is not for
// malleable jobs, whose run times do not follow from the size.
func (c Class) RunTimeAt(size int64) RunTimeLaw {
	l := c.drawnAt(size)
	l.most = c.LongestRun()
	return l
}

// drawnAt is the law before run times are cut to the largest estimate.
func (c Class) drawnAt(size int64) RunTimeLaw {
	r := c.RunTimes
	switch {
	case r.Speedup != nil:
		s := r.Speedup.At(size)
		return RunTimeLaw{parts: [2]dist.Law{c.workAt(s)}, weights: [2]float64{1}, mass: 1, speedup: s}
	case r.First != nil:
		l := RunTimeLaw{parts: [2]dist.Law{r.First}, weights: [2]float64{1}, cut: r.MaxSeconds, mass: 1, speedup: 1}
		if r.Second != nil {
			p := r.P(size)
			l.parts[1], l.weights = r.Second, [2]float64{p, 1 - p}
		}
		if l.cut > 0 {
			l.mass = l.sum(func(l dist.Law) float64 { return l.CDF(r.MaxSeconds) })
		}
		return l
	}
	return RunTimeLaw{parts: [2]dist.Law{r.At(size)}, weights: [2]float64{1}, mass: 1, speedup: 1}
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
