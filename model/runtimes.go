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

func (r *RunTimes) visit(f *form, processors int64, work *Work) {
	line := true
	switch {
	case f.has("speedup") || r.Speedup != nil:
		f.object("speedup", func(f *form) { r.Speedup = oneOf(f, "form", r.Speedup, speedups()...) })
		f.number("max_ln", &r.MaxLn, math.SmallestNonzeroFloat64, MaxLnLimit)
		f.check(func() error {
			if work == nil {
				return &FieldError{Path: f.at("speedup"), Saw: "a speedup without a law of the total work", Want: "the class's work"}
			}
			// The speedup is least, and the most work too long, on one processor.
			return enough(f.at("max_ln"), r.MaxLn, work.Law.CDF(min(r.MaxLn, work.MaxLn)))
		})
		line = false
	case f.has("first") || f.has("second") || f.has("max_s") || r.First != nil:
		f.positive("first", required, &r.First)
		f.positive("second", optional, &r.Second)
		f.above("max_s", &r.MaxSeconds)
		line = r.Second != nil
	default:
		lawOfLn(f, "law", &r.Law, &r.MaxLn, MaxLnLimit)
	}
	if line {
		r.visitLine(f)
	}
	f.check(func() error { return r.checkCut(f, processors) })
}

// visitLine goes over the line of p over the size.
func (r *RunTimes) visitLine(f *form) {
	f.number("p_intercept", &r.PIntercept, -1e6, 1e6)
	steepest := 1.0
	if r.PForm == LogOdds {
		steepest = 100
	}
	f.number("p_slope", &r.PSlope, -steepest, steepest)
	f.text("p_form", optional, (*string)(&r.PForm))
	if r.PForm == "linear" {
		r.PForm = Linear
	}
	if r.PForm != Linear && r.PForm != LogOdds {
		f.reject("p_form", shorten(string(r.PForm)), `"linear" or "log-odds"`)
	}
}

// checkCut checks that the cut of the laws keeps enough of them at every size.
func (r *RunTimes) checkCut(f *form, processors int64) error {
	// p is monotone in the size, so its ends are those of the sizes.
	kept := func(first, second float64) float64 {
		p, q := r.P(1), r.P(processors)
		return min(p*first+(1-p)*second, q*first+(1-q)*second)
	}
	switch {
	case r.Speedup != nil:
		return nil
	case r.First == nil:
		return enough(f.at("law.max_ln"), r.MaxLn, kept(r.Law.First.CDF(r.MaxLn), r.Law.Second.CDF(r.MaxLn)))
	case r.Second == nil || r.MaxSeconds == 0:
		if err := cut(f.at("max_s"), r.First, r.MaxSeconds); err != nil || r.Second == nil {
			return err
		}
		return cut(f.at("max_s"), r.Second, r.MaxSeconds)
	}
	if err := within(f.at("max_s"), r.MaxSeconds, math.SmallestNonzeroFloat64, MaxSecondsLimit); err != nil {
		return err
	}
	return enough(f.at("max_s"), r.MaxSeconds, kept(r.First.CDF(r.MaxSeconds), r.Second.CDF(r.MaxSeconds)))
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
	r, most := c.RunTimes, c.LongestRun()
	if r.Speedup == nil {
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
