package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// SecondsRunTimes are run times by one or two laws of seconds.
type SecondsRunTimes struct {
	First  dist.Law
	Second dist.Law // optional
	Line            // the share of First, if there is a Second
	Max    float64  // s, where both are truncated; 0 for no limit
}

var _ RunTimes = SecondsRunTimes{}

func (r SecondsRunTimes) visit(f *form, processors int64, _ *Work) RunTimes {
	f.positive("first", required, &r.First)
	f.positive("second", optional, &r.Second)
	f.above("max_s", &r.Max)
	if r.Second != nil {
		r.Line.visit(f)
	}
	f.check(func() error { return r.checkCut(f, processors) })
	return r
}

func (r SecondsRunTimes) checkCut(f *form, processors int64) error {
	path := f.at("max_s")
	switch {
	case r.Second == nil && r.Line != Line{}:
		return &FieldError{Path: f.at("second"), Saw: "missing, but there is a line p(size)", Want: "a second distribution, or no line"}
	case r.Second == nil || r.Max == 0:
		if err := cut(path, r.First, r.Max); err != nil || r.Second == nil {
			return err
		}
		return cut(path, r.Second, r.Max)
	}
	if err := within(path, r.Max, math.SmallestNonzeroFloat64, MaxSecondsLimit); err != nil {
		return err
	}
	return enough(path, r.Max, r.kept(processors, r.First.CDF(r.Max), r.Second.CDF(r.Max)))
}

func (r SecondsRunTimes) at(size int64, _ *Work) RunTimeLaw {
	l := oneLaw(r.First, 1)
	l.cut = r.Max
	if r.Second != nil {
		p := r.P(size)
		l.parts[1], l.weights = r.Second, [2]float64{p, 1 - p}
	}
	if l.cut > 0 {
		l.mass = l.sum(func(l dist.Law) float64 { return l.CDF(r.Max) })
	}
	return l
}

func (r SecondsRunTimes) mean(_ *Work, most float64) func(size int64) float64 {
	var t truncated
	second := r.Second
	if second == nil {
		second = r.First
	}
	for i, l := range []dist.Law{r.First, second} {
		t.mass[i] = 1
		if r.Max > 0 {
			t.mass[i] = l.CDF(r.Max)
		}
		below, cut := t.mass[i], r.Max
		if !math.IsInf(most, 1) && (cut == 0 || most < cut) {
			below, cut = l.CDF(most), most
			t.moment[i] = (t.mass[i] - below) * most
		}
		if below > 0 {
			t.moment[i] += below * secondsMean(l, cut)
		}
	}
	return t.over(r.Line)
}
