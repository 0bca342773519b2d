package model

import (
	"fmt"
	"strconv"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Gaps is the law of interarrival times: LnGaps or SecondsGaps.
type Gaps interface {
	visit(f *form, m Method) Gaps
	// mean is the mean in seconds, of the law as it is cut.
	mean() float64
}

// visitGaps goes over interarrival times, whose form a file tells by its fields.
func visitGaps(f *form, g Gaps, m Method) Gaps {
	switch {
	case f.task == read && f.has("interarrival"):
		g = SecondsGaps{}
	case f.task == read:
		g = LnGaps{}
	case g == nil:
		f.reject("peak", "missing", "a distribution of interarrival times")
		return nil
	}
	return g.visit(f, m)
}

// LnGaps are interarrival times by a Gamma of their logarithm. Lublin and
// Feitelson (2003), section 3.3.
type LnGaps struct {
	Peak  dist.Gamma // of ln of the interarrival time, in seconds, at peak hours
	MaxLn float64    // the largest ln interarrival time; above 0, at most MaxLnLimit
	// ARAR, the arrive rush-to-all ratio, multiplies the shape of Peak. It is
	// the mean of ln of the interarrival times of the whole day divided by
	// that of peak hours.
	ARAR float64
}

var _ Gaps = LnGaps{}

// MaxLnLimit is the largest MaxLn: exp(30) s is 340,000 years.
const MaxLnLimit = 30

// Law is Peak with its shape times ARAR.
func (g LnGaps) Law() dist.Gamma {
	return dist.Gamma{Shape: g.Peak.Shape * g.ARAR, Scale: g.Peak.Scale}
}

func (g LnGaps) mean() float64 { return dist.Ln{Inner: g.Law(), MaxLn: g.MaxLn}.Mean() }

func (g LnGaps) visit(f *form, _ Method) Gaps {
	lawOfLn(f, "peak", &g.Peak, &g.MaxLn, MaxLnLimit)
	f.number("arar", &g.ARAR, 0.01, 100)
	f.check(func() error { return enough(f.at("peak.max_ln"), g.MaxLn, g.Law().CDF(g.MaxLn)) })
	return g
}

// SecondsGaps are interarrival times by a law of the seconds, over whole days.
type SecondsGaps struct {
	Law dist.Law
	Max float64 // s, where Law is cut; 0 for no cut
}

var _ Gaps = SecondsGaps{}

func (g SecondsGaps) mean() float64 { return secondsMean(g.Law, g.Max) }

func (g SecondsGaps) visit(f *form, m Method) Gaps {
	f.positive("interarrival", required, &g.Law)
	f.above("max_s", &g.Max)
	f.check(func() error {
		if m.ByShape() {
			return &FieldError{Path: f.at("method"), Saw: strconv.Quote(string(m)), Want: fmt.Sprintf("%q or %q where the distribution is of seconds: there is no shape of ln", SlotWeights, Stationary)}
		}
		return cut(f.at("max_s"), g.Law, g.Max)
	})
	return g
}
