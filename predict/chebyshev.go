package predict

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Chebyshev bounds waits by Chebyshev's inequality: the mean of the group's
// history plus 1/sqrt(1-q) standard deviations, 2 sqrt(5) at the quantile
// 0.95. Sonmez, Yigitbasi, Iosup and Epema (2009), "Trace-based evaluation of
// job runtime and queue wait time predictions in grids", section 4.2. The
// inequality is two-sided and holds for any law, so the bound is wide.
//
// The history is kept, grouped and trimmed by the rules of BMBP, applied to
// this bound's own misses and hits ("in a similar way", the paper says).
type Chebyshev struct {
	quantile, confidence float64
	minimum              int
	groups               [groups]chebyshevGroup
}

type chebyshevGroup struct {
	history history
	waits   stats.Moments
}

var _ BoundPredictor = (*Chebyshev)(nil)

// NewChebyshev returns a Chebyshev without history. quantile and confidence
// lie between 0 and 1; the confidence does no more than say how long a history
// has to be, as it does for BMBP: 59 waits at 0.95 and 0.95.
func NewChebyshev(quantile, confidence float64) (*Chebyshev, error) {
	minimum := stats.MinimumHistory(quantile, confidence)
	if minimum == 0 {
		return nil, fmt.Errorf("chebyshev: quantile %g and confidence %g, want numbers between 0 and 1", quantile, confidence)
	}
	c := &Chebyshev{quantile: quantile, confidence: confidence, minimum: max(2, minimum)}
	lag := new(autocorrelation)
	for i := range c.groups {
		c.groups[i].history.changes = newChanges(quantile, c.minimum, lag)
	}
	return c, nil
}

// Name returns "chebyshev".
func (*Chebyshev) Name() string { return "chebyshev" }

// Predict is as BoundPredictor says; the bound's Achieved is NaN.
func (c *Chebyshev) Predict(r workload.Request) (Bound, bool) {
	group := GroupOf(&r)
	g := &c.groups[group]
	n := len(g.history.waits)
	bound := Bound{
		Seconds: math.NaN(), Quantile: c.quantile, Confidence: c.confidence, Achieved: math.NaN(),
		Observations: n, Group: group,
	}
	if n < c.minimum {
		return bound, false
	}
	bound.Seconds = stats.Chebyshev(g.waits, c.quantile, false).Value
	return bound, true
}

// Observe is as BoundPredictor says.
func (c *Chebyshev) Observe(j workload.Job, given Bound) {
	if !knownWait(&j) {
		return
	}
	g := &c.groups[GroupOf(&j.Request)]
	if !g.history.add(j.Wait, given.Seconds) {
		g.waits.Add(j.Wait)
		return
	}
	g.waits = stats.Moments{}
	for _, w := range g.history.waits {
		g.waits.Add(w)
	}
}
