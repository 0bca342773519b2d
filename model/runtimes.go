package model

import (
	"cmp"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimes is the law of run times, in one of three forms: two Gammas of their logarithm (Law),
// by Lublin and Feitelson (2003), section 3.2; one or two laws of seconds (First, Second); or the
// total work, by Class.Work, divided by the speedup on the job's size.
type RunTimes struct {
	// Law is of ln of the run time in seconds. Its P is the share of the first
	// Gamma over all sizes; the share at one size, which generated jobs
	// follow, is that of Line.
	Law LnHyperGamma `opt:"law" not:"first|speedup"`

	First      Law     `opt:"first" not:"speedup"`
	Second     Law     `opt:"second" for:"first"`
	MaxSeconds float64 `opt:"max_s" in:"(0,1.0686474581524463e13]" for:"first"` // where both are cut; 0 for no limit

	Line // the share of the first Gamma, or of First if there is a Second

	Speedup *Speedup `opt:"speedup"`
	MaxLn   float64  `opt:"max_ln" in:"(0,30]" for:"speedup" required:"speedup"` // the largest ln run time: work that would take longer is drawn again
}

// PForm is the form in which the share p of the first law depends on the size
// s. A constant share is Linear with slope 0.
type PForm string

const (
	// Linear is p = a s + b, clipped to [0, 1]: the form that the paper chose.
	Linear PForm = ""
	// LogOdds is ln(p/(1-p)) = a s + b: the form that the paper tried and
	// rejected.
	LogOdds PForm = "log-odds"
)

// Line is the share p of the first law of run times as a function of the size.
type Line struct {
	PIntercept float64 `opt:"p_intercept" in:"[-1e6,1e6]" for:"law|second" required:"law|second"` // b in p = a size + b, clipped to [0, 1]
	PSlope     float64 `opt:"p_slope" in:"[-100,100]" for:"law|second" required:"law|second"`     // a, per processor; -1 to 1 for Linear, and 0 if p does not depend on the size
	PForm      PForm   `opt:"p_form"`                                                             // optional: the function of p that a size + b gives, if not p itself
}

// Choices are the values of keys that take one of some.
func (RunTimes) Choices(key string) []string {
	if key == "p_form" {
		return []string{string(LogOdds)}
	}
	return nil
}

// P returns the share at a size: PSlope size + PIntercept, clipped to [0, 1],
// or the share with these log-odds. Lublin and Feitelson (2003), section 3.2.3.
func (l Line) P(size int64) float64 {
	p := l.PSlope*float64(size) + l.PIntercept
	if l.PForm == LogOdds {
		return 1 / (1 + math.Exp(-p))
	}
	return min(1, max(0, p))
}

// check checks what relates the run times, the machine and the work.
func (r RunTimes) check(processors int64, work *Work, at string) error {
	if r.PForm == Linear && math.Abs(r.PSlope) > 1 {
		return workload.OptionFault(at+"p_slope", r.PSlope, "-1 to 1")
	}
	// kept is the least share that a cut keeps at any size: p is monotone in the size.
	kept := func(first, second float64) float64 {
		p, q := r.P(1), r.P(processors)
		return min(p*first+(1-p)*second, q*first+(1-q)*second)
	}
	switch {
	case r.Speedup != nil && work == nil:
		return workload.OptionFault(at+"speedup", "a speedup without a distribution of the total work", "the class's work")
	case r.Speedup != nil:
		// The speedup is least, and the most work too long, on one processor.
		return enough(at+"max_ln", r.MaxLn, work.Law.CDF(min(r.MaxLn, work.Law.MaxLn)))
	case r.First.Law == nil:
		return enough(at+"law.max_ln", r.Law.MaxLn, kept(r.Law.First.CDF(r.Law.MaxLn), r.Law.Second.CDF(r.Law.MaxLn)))
	}
	second := r.Second
	if second.Law == nil {
		second = r.First
	}
	if r.MaxSeconds > 0 {
		return enough(at+"max_s", r.MaxSeconds, kept(r.First.CDF(r.MaxSeconds), second.CDF(r.MaxSeconds)))
	}
	return cmp.Or(checkCut(at+"max_s", r.First.Law, 0), checkCut(at+"max_s", second.Law, 0))
}

// workAt is the law of the total work of jobs with speedup s.
func (r RunTimes) workAt(s float64, work *Work) dist.Ln {
	return dist.Ln{Inner: work.Law.HyperGamma, MaxLn: min(work.Law.MaxLn, r.MaxLn+math.Log(s))}
}

// meanRun returns the mean run time at a size, in seconds; longer run times than most count as
// most.
func (c Class) meanRun(most float64) func(size int64) float64 {
	r := c.RunTimes
	if r.Speedup != nil {
		var last, mean float64 // speedups level off: then the mean stays
		return func(n int64) float64 {
			if s := r.Speedup.At(n); s != last {
				last, mean = s, meanUpTo(r.workAt(s, c.Work), most*s)/s
			}
			return mean
		}
	}
	// The mass and the moment E[t; t not cut] of the two laws, from which the mean at any p
	// follows without another integral.
	var mass, moment [2]float64
	laws, limit, top := [2]dist.Law{r.Law.First, r.Law.Second}, r.Law.MaxLn, math.Log(most)
	mean := func(l dist.Law, limit float64) float64 { return dist.Ln{Inner: l, MaxLn: limit}.Mean() }
	if r.First.Law != nil {
		laws, limit, top, mean = [2]dist.Law{r.First.Law, r.Second.Law}, r.MaxSeconds, most, secondsMean
		if r.Second.Law == nil {
			laws[1] = r.First.Law
		}
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

// meanUpTo is the mean of a law of which values above most count as most.
func meanUpTo(l dist.Ln, most float64) float64 {
	ln := math.Log(most)
	if !(ln < l.MaxLn) {
		return l.Mean()
	}
	below := l.CDF(most)
	if below == 0 {
		return most
	}
	return below*dist.Ln{Inner: l.Inner, MaxLn: ln}.Mean() + (1-below)*most
}

// Speedup is a law of S(n), the run time of a job on one processor divided by
// that on n.
type Speedup struct {
	// Form is "linear", S(n) = n: the total work of a job is its size times its run time,
	// whatever the size; or "downey", DowneyS.
	Form               string  `opt:"form" required:"true"`
	AverageParallelism float64 `opt:"average_parallelism" in:"[1,16777216]" for:"form=downey"`
	Sigma              float64 `opt:"sigma" in:"[0,1e6]" for:"form=downey"`
}

// Choices are the values of keys that take one of some.
func (Speedup) Choices(key string) []string {
	if key == "form" {
		return []string{"linear", "downey"}
	}
	return nil
}

// Check checks that Downey's speedup has its parameter.
func (s *Speedup) Check() error {
	if s.Form == "downey" && s.AverageParallelism == 0 {
		return workload.OptionFault("average_parallelism", "nothing", "1 to %d", MaxProcessors)
	}
	return nil
}

// At returns S(n), for n of at least 1.
func (s Speedup) At(n int64) float64 {
	if s.Form == "linear" {
		return float64(n)
	}
	return DowneyS(float64(n), s.AverageParallelism, s.Sigma)
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
