package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// RunTimes is the law of run times, in one of two forms: two Gammas of their logarithm (Law), by
// Lublin and Feitelson (2003), section 3.2, or one law of seconds (First).
type RunTimes struct {
	// Law is of ln of the run time in seconds. Its P is the share of the first
	// Gamma over all sizes; the share at one size, which generated jobs
	// follow, is that of Line.
	Law LnHyperGamma `opt:"law" not:"first"`
	Line

	First      Law     `opt:"first"`
	MaxSeconds float64 `opt:"max_s" in:"(0,1.0686474581524463e13]" for:"first"` // where First is cut; 0 for no limit
}

// Line is the share p of the first Gamma of run times as a function of the size.
type Line struct {
	PIntercept float64 `opt:"p_intercept" in:"[-1e6,1e6]" for:"law" required:"law"` // b in p = a size + b, clipped to [0, 1]
	PSlope     float64 `opt:"p_slope" in:"[-1,1]" for:"law" required:"law"`         // a, per processor; 0 if p does not depend on the size
}

// P returns the share at a size: PSlope size + PIntercept, clipped to [0, 1]. Lublin and
// Feitelson (2003), section 3.2.3.
func (l Line) P(size int64) float64 { return min(1, max(0, l.PSlope*float64(size)+l.PIntercept)) }

// check checks what relates the run times and the machine.
func (r RunTimes) check(processors int64, at string) error {
	if r.First.Law != nil {
		return checkCut(at+"max_s", r.First.Law, r.MaxSeconds)
	}
	// The least share that the cut keeps at any size: p is monotone in the size.
	first, second := r.Law.First.CDF(r.Law.MaxLn), r.Law.Second.CDF(r.Law.MaxLn)
	p, q := r.P(1), r.P(processors)
	return enough(at+"law.max_ln", r.Law.MaxLn, min(p*first+(1-p)*second, q*first+(1-q)*second))
}

// meanRun returns the mean run time at a size, in seconds; longer run times than most count as
// most.
func (c Class) meanRun(most float64) func(size int64) float64 {
	// The mass and the moment E[t; t not cut] of the two laws, from which the mean at any p
	// follows without another integral.
	var mass, moment [2]float64
	r := c.RunTimes
	laws, limit, top := [2]dist.Law{r.Law.First, r.Law.Second}, r.Law.MaxLn, math.Log(most)
	mean := func(l dist.Law, limit float64) float64 { return dist.Ln{Inner: l, MaxLn: limit}.Mean() }
	if r.First.Law != nil {
		laws, limit, top, mean = [2]dist.Law{r.First.Law, r.First.Law}, r.MaxSeconds, most, secondsMean
	}
	for i, l := range laws {
		mass[i] = 1
		if limit > 0 {
			mass[i] = l.CDF(limit)
		}
		below, cut := mass[i], limit
		if !math.IsInf(top, 1) && (cut == 0 || top < cut) {
			below, cut = l.CDF(top), top
			moment[i] = (mass[i] - below) * most
		}
		if below > 0 {
			moment[i] += below * mean(l, cut)
		}
	}
	return func(n int64) float64 {
		p := r.P(n)
		return (p*moment[0] + (1-p)*moment[1]) / (p*mass[0] + (1-p)*mass[1])
	}
}

// DowneyS returns the speedup S(n) on n >= 1 processors of a job with average
// parallelism a >= 1 and variance of parallelism sigma >= 0. Downey (1997),
// "Using queue time predictions for processor allocation", section 2.1:
// equation 1 (low variance) up to sigma 1, equation 2 (high variance) above,
// which agree at 1. Beyond the last break the speedup is a.
func DowneyS(n, a, sigma float64) float64 {
	if sigma <= 1 {
		switch {
		case n <= a:
			return a * n / (a + sigma*(n-1)/2)
		case n <= 2*a-1:
			return a * n / (sigma*(a-0.5) + n*(1-sigma/2))
		}
		return a
	}
	if more := sigma * (a - 1); n <= a+more {
		return n * a * (sigma + 1) / (a + more + n*sigma)
	}
	return a
}
