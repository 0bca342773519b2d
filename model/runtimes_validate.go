package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

func (r RunTimes) validate(path string, processors int64, work Work) error {
	switch {
	case r.Speedup.Known():
		return r.validateSpeedup(path, work)
	case r.First != nil || r.Second != nil:
		return r.validateSeconds(path, processors)
	}
	if err := law(path+".law", r.Law); err != nil {
		return err
	}
	if err := within(path+".law.max_ln", r.MaxLn, math.SmallestNonzeroFloat64, MaxLnLimit); err != nil {
		return err
	}
	if err := r.validateLine(path); err != nil {
		return err
	}
	// p is monotone in the size, so its ends are those of the sizes.
	kept := math.Inf(1)
	for _, size := range []int64{1, processors} {
		kept = min(kept, r.at(r.P(size)).Inner.CDF(r.MaxLn))
	}
	return enough(path+".law.max_ln", r.MaxLn, kept)
}

// validateLine checks the line of p over the size.
func (r RunTimes) validateLine(path string) error {
	if err := within(path+".p_intercept", r.PIntercept, -1e6, 1e6); err != nil {
		return err
	}
	steepest := 1.0
	if r.PForm == LogOdds {
		steepest = 100
	} else if r.PForm != Linear {
		return &FieldError{Path: path + ".p_form", Saw: shorten(string(r.PForm)), Want: wantPForm}
	}
	return within(path+".p_slope", r.PSlope, -steepest, steepest)
}

func (r RunTimes) validateSeconds(path string, processors int64) error {
	switch {
	case r.First == nil:
		return &FieldError{Path: path + ".first", Saw: "missing", Want: "a law of seconds"}
	case r.Law != (dist.HyperGamma{}) || r.MaxLn != 0:
		return &FieldError{Path: path, Saw: "a law of ln and one of seconds", Want: "one of them"}
	}
	line := r.PSlope != 0 || r.PIntercept != 0 || r.PForm != Linear
	if r.Second == nil && line {
		return &FieldError{Path: path + ".second", Saw: "missing, but there is a line p(size)", Want: "a second law, or no line"}
	}
	if err := positiveLaw(path, "first", "", r.First, 0); err != nil {
		return err
	}
	if r.Second == nil {
		return positiveLaw(path, "first", "max_s", r.First, r.MaxSeconds)
	}
	if err := positiveLaw(path, "second", "", r.Second, 0); err != nil {
		return err
	}
	if err := r.validateLine(path); err != nil {
		return err
	}
	if r.MaxSeconds == 0 {
		if err := positiveLaw(path, "first", "max_s", r.First, 0); err != nil {
			return err
		}
		return positiveLaw(path, "second", "max_s", r.Second, 0)
	}
	if err := within(path+".max_s", r.MaxSeconds, math.SmallestNonzeroFloat64, MaxSecondsLimit); err != nil {
		return err
	}
	kept := math.Inf(1)
	for _, size := range []int64{1, processors} {
		kept = min(kept, r.P(size)*r.First.CDF(r.MaxSeconds)+(1-r.P(size))*r.Second.CDF(r.MaxSeconds))
	}
	return enough(path+".max_s", r.MaxSeconds, kept)
}

func (r RunTimes) validateSpeedup(path string, work Work) error {
	rest := r
	rest.Speedup, rest.MaxLn = Speedup{}, 0
	if rest != (RunTimes{}) {
		return &FieldError{Path: path, Saw: "a speedup and a law of run times", Want: "one of them"}
	}
	if !work.Known() {
		return &FieldError{Path: path + ".speedup", Saw: "a speedup without a law of the total work", Want: "the class's work"}
	}
	if err := r.Speedup.validate(path + ".speedup"); err != nil {
		return err
	}
	if err := within(path+".max_ln", r.MaxLn, math.SmallestNonzeroFloat64, MaxLnLimit); err != nil {
		return err
	}
	// The speedup is least, and the most work too long, on one processor.
	return enough(path+".max_ln", r.MaxLn, work.Law.CDF(min(r.MaxLn, work.MaxLn)))
}
