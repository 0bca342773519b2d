package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// PForm is how the share p of the first Gamma depends on the size s. A share
// that does not depend on it is Linear with slope 0.
type PForm string

const (
	// Linear is p = a s + b, cut to [0, 1]: the form that the paper chose.
	Linear PForm = ""
	// LogOdds is ln(p/(1-p)) = a s + b: the form that the paper tried and left.
	LogOdds PForm = "log-odds"
)

// Line is the share p of the first law over the size.
type Line struct {
	Intercept, Slope float64
	Form             PForm
}

// Line returns the line of p over the size.
func (r RunTimes) Line() Line { return Line{r.PIntercept, r.PSlope, r.PForm} }

// P returns the share of the first Gamma, or the first law of seconds, at a
// size: PSlope size + PIntercept, cut to [0, 1], or with these log-odds. Lublin
// and Feitelson (2003), section 3.2.3.
func (r RunTimes) P(size int64) float64 { return r.Line().P(size) }

// P returns the share at a size.
func (l Line) P(size int64) float64 {
	// The conversion keeps a processor with fused multiply-add from giving
	// other jobs than one without.
	p := float64(l.Slope*float64(size)) + l.Intercept
	if l.Form == LogOdds {
		return 1 / (1 + num.Exp(-p))
	}
	return min(1, max(0, p))
}

// At returns the law of the run time in seconds at a size, truncated at MaxLn,
// where it is by Law. Generated run times are this law's, rounded down to whole
// seconds. Class.RunTimeAt has the other forms too.
func (r RunTimes) At(size int64) dist.Ln { return r.at(r.P(size)) }

func (r RunTimes) at(p float64) dist.Ln {
	law := r.Law
	law.P = p
	return dist.Ln{Inner: law, MaxLn: r.MaxLn}
}

// truncated are the mass and the moment E[t; t not cut] of the two laws, from
// which the mean at any p follows without another integral.
type truncated struct {
	mass, moment [2]float64
}

// Run times above most seconds count as most.
func (r RunTimes) truncated(most float64) (t truncated) {
	if r.First != nil {
		second := r.Second
		if second == nil {
			second = r.First
		}
		for i, l := range []dist.Law{r.First, second} {
			t.mass[i] = 1
			if r.MaxSeconds > 0 {
				t.mass[i] = l.CDF(r.MaxSeconds)
			}
			below, cut := t.mass[i], r.MaxSeconds
			if !math.IsInf(most, 1) && (cut == 0 || most < cut) {
				below, cut = l.CDF(most), most
				t.moment[i] = (t.mass[i] - below) * most
			}
			if below > 0 {
				t.moment[i] += below * secondsMean(l, cut)
			}
		}
		return t
	}
	for i, g := range []dist.Gamma{r.Law.First, r.Law.Second} {
		t.mass[i] = g.CDF(r.MaxLn)
		below, maxLn := t.mass[i], r.MaxLn
		if ln := num.Log(most); ln < maxLn {
			below, maxLn = g.CDF(ln), ln
			t.moment[i] = (t.mass[i] - below) * most
		}
		if below > 0 {
			t.moment[i] += below * dist.Ln{Inner: g, MaxLn: maxLn}.Mean()
		}
	}
	return t
}

func (t truncated) mean(p float64) float64 {
	return (p*t.moment[0] + (1-p)*t.moment[1]) / (p*t.mass[0] + (1-p)*t.mass[1])
}

// meanRunTime returns the function that gives the mean run time at a size.
func (c Class) meanRunTime() func(size int64) float64 {
	r, most := c.RunTimes, c.Estimates.Longest()
	if !r.Speedup.Known() {
		t := r.truncated(most)
		return func(n int64) float64 { return t.mean(r.P(n)) }
	}
	var last, mean float64 // speedups level off: then the mean stays
	return func(n int64) float64 {
		if s := r.Speedup.At(n); s != last {
			last, mean = s, cutMean(c.workAt(s), most*s)/s
		}
		return mean
	}
}

// cutMean is the mean of a law of which values above most count as most.
func cutMean(l dist.Ln, most float64) float64 {
	ln := num.Log(most)
	if !(ln < l.MaxLn) {
		return l.Mean()
	}
	below := l.CDF(most)
	if below == 0 {
		return most
	}
	return below*dist.Ln{Inner: l.Inner, MaxLn: ln}.Mean() + (1-below)*most
}

// workAt is the law of the total work of jobs with speedup s.
func (c Class) workAt(s float64) dist.Ln {
	return dist.Ln{Inner: c.Work.Law, MaxLn: min(c.Work.MaxLn, c.RunTimes.MaxLn+num.Log(s))}
}
