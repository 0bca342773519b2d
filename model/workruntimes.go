package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// WorkRunTimes are run times computed as the total work, by Class.Work, divided
// by the speedup on the job's size. Work that would take longer than exp(MaxLn)
// s is drawn again.
type WorkRunTimes struct {
	Speedup Speedup
	MaxLn   float64 // the largest ln run time; above 0, at most MaxLnLimit
}

var _ RunTimes = WorkRunTimes{}

func (r WorkRunTimes) visit(f *form, _ int64, work *Work) RunTimes {
	f.object("speedup", func(f *form) { r.Speedup = oneOf(f, "form", r.Speedup, speedups()...) })
	f.number("max_ln", &r.MaxLn, math.SmallestNonzeroFloat64, MaxLnLimit)
	f.check(func() error {
		if work == nil {
			return &FieldError{Path: f.at("speedup"), Saw: "a speedup without a distribution of the total work", Want: "the class's work"}
		}
		// The speedup is least, and the most work too long, on one processor.
		return enough(f.at("max_ln"), r.MaxLn, work.Law.CDF(min(r.MaxLn, work.MaxLn)))
	})
	return r
}

func (r WorkRunTimes) at(size int64, work *Work) RunTimeLaw {
	s := r.Speedup.At(size)
	return oneLaw(r.workAt(s, work), s)
}

func (r WorkRunTimes) mean(work *Work, most float64) func(size int64) float64 {
	var last, mean float64 // speedups level off: then the mean stays
	return func(n int64) float64 {
		if s := r.Speedup.At(n); s != last {
			last, mean = s, cutMean(r.workAt(s, work), most*s)/s
		}
		return mean
	}
}

// workAt is the law of the total work of jobs with speedup s.
func (r WorkRunTimes) workAt(s float64, work *Work) dist.Ln {
	return dist.Ln{Inner: work.Law, MaxLn: min(work.MaxLn, r.MaxLn+math.Log(s))}
}

// cutMean is the mean of a law of which values above most count as most.
func cutMean(l dist.Ln, most float64) float64 {
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
