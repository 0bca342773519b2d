package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// LnRunTimes are run times by two Gammas of their logarithm. Lublin and
// Feitelson (2003), section 3.2.
type LnRunTimes struct {
	// Law is of ln of the run time in seconds. Its P is the share of the first
	// Gamma over all sizes; the share at one size, which generated jobs
	// follow, is that of Line.
	Law dist.HyperGamma
	Line
	MaxLn float64 // the largest ln run time; above 0, at most MaxLnLimit
}

var _ RunTimes = LnRunTimes{}

func (r LnRunTimes) visit(f *form, processors int64, _ *Work) RunTimes {
	lawOfLn(f, "law", &r.Law, &r.MaxLn, MaxLnLimit)
	r.Line.visit(f)
	f.check(func() error {
		return enough(f.at("law.max_ln"), r.MaxLn, r.kept(processors, r.Law.First.CDF(r.MaxLn), r.Law.Second.CDF(r.MaxLn)))
	})
	return r
}

// At returns the law of the run time in seconds at a size, truncated at MaxLn.
// Generated run times follow this law, rounded down to whole seconds.
// Class.RunTimeAt supports the other forms too.
func (r LnRunTimes) At(size int64) dist.Ln {
	law := r.Law
	law.P = r.P(size)
	return dist.Ln{Inner: law, MaxLn: r.MaxLn}
}

func (r LnRunTimes) at(size int64, _ *Work) RunTimeLaw { return oneLaw(r.At(size), 1) }

func (r LnRunTimes) mean(_ *Work, most float64) func(size int64) float64 {
	var t truncated
	for i, g := range []dist.Gamma{r.Law.First, r.Law.Second} {
		t.mass[i] = g.CDF(r.MaxLn)
		below, maxLn := t.mass[i], r.MaxLn
		if ln := math.Log(most); ln < maxLn {
			below, maxLn = g.CDF(ln), ln
			t.moment[i] = (t.mass[i] - below) * most
		}
		if below > 0 {
			t.moment[i] += below * dist.Ln{Inner: g, MaxLn: maxLn}.Mean()
		}
	}
	return t.over(r.Line)
}
