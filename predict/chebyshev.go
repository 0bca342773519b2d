package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Chebyshev bounds waits by Chebyshev's inequality: the mean of the group's
// history plus 1/sqrt(1-q) standard deviations, 2 sqrt(5) at the quantile 0.95.
// Sonmez, Yigitbasi, Iosup and Epema (2009), "Trace-based evaluation of job
// runtime and queue wait time predictions in grids", section 4.2. The
// inequality is two-sided and holds for any distribution, so the bound is wide.
//
// The history is kept, grouped and trimmed by the rules of BMBP, applied to
// this bound's own misses and hits (the paper says only "in a similar way").
type Chebyshev struct {
	quantile, confidence float64
	minimum              int
	groups               grouped[*chebyshevGroup]
}

// chebyshevGroup is the waits of one group.
type chebyshevGroup struct {
	history history
	moments stats.Moments
}

var _ BoundPredictor = (*Chebyshev)(nil)

// NewChebyshev returns a Chebyshev without history. quantile and confidence are
// in (0, 1), or the error is a *workload.OptionError. The confidence only determines how
// long the history must be, as for BMBP: 59 waits at 0.95 and 0.95.
func NewChebyshev(quantile, confidence float64, o BoundOptions) (*Chebyshev, error) {
	if err := checkLevels(quantile, confidence); err != nil {
		return nil, err
	}
	minimum := max(2, stats.MinimumHistory(quantile, confidence))
	rule := &changeRule{minimum: minimum, quantile: quantile}
	return &Chebyshev{quantile, confidence, minimum, newGrouped(o.Groups, func() *chebyshevGroup {
		return &chebyshevGroup{history: history{rule: rule}}
	})}, nil
}

// Name returns "chebyshev".
func (*Chebyshev) Name() string { return "chebyshev" }

// Predict implements BoundPredictor; the bound's Achieved is NaN.
func (c *Chebyshev) Predict(r workload.Request) (Bound, bool) {
	g := c.groups.at(&r)
	n := len(g.of.history.waits)
	bound := Bound{
		Seconds: math.NaN(), Quantile: c.quantile, Confidence: c.confidence, Achieved: math.NaN(),
		Observations: n, Group: g.label,
	}
	if n < c.minimum {
		return bound, false
	}
	bound.Seconds = stats.Chebyshev(g.of.moments, c.quantile, false).Value
	return bound, true
}

// Observe is as BoundPredictor says.
func (c *Chebyshev) Observe(j workload.Job, given Bound) {
	if !knownWait(&j) {
		return
	}
	g := c.groups.at(&j.Request).of
	if !g.history.add(j.Wait, given.Seconds) {
		g.moments.Add(j.Wait)
		return
	}
	g.moments = stats.Moments{}
	for _, w := range g.history.waits {
		g.moments.Add(w)
	}
}
