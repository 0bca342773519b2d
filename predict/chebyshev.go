package predict

import (
	"fmt"

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
	oneSided             bool
	momentBound
}

var _ BoundPredictor = (*Chebyshev)(nil)

// NewChebyshev returns a Chebyshev without history. quantile and confidence are
// in (0, 1). The confidence only determines how long the history must be, as
// for BMBP: 59 waits at 0.95 and 0.95.
func NewChebyshev(quantile, confidence float64, o BoundOptions) (*Chebyshev, error) {
	return newChebyshev("chebyshev", quantile, confidence, false, o)
}

// NewChebyshevOneSided is NewChebyshev with the one-sided inequality
// (Cantelli): the mean plus sqrt(q/(1-q)) standard deviations, 4.359 at 0.95,
// instead of the paper's 4.472. It suffices for an upper bound.
func NewChebyshevOneSided(quantile, confidence float64, o BoundOptions) (*Chebyshev, error) {
	return newChebyshev("chebyshev-one-sided", quantile, confidence, true, o)
}

func newChebyshev(name string, quantile, confidence float64, oneSided bool, o BoundOptions) (*Chebyshev, error) {
	minimum := stats.MinimumHistory(quantile, confidence)
	if minimum == 0 {
		return nil, fmt.Errorf("%s: quantile %g and confidence %g, want numbers between 0 and 1", name, quantile, confidence)
	}
	return &Chebyshev{quantile, confidence, oneSided, newMomentBound(name, quantile, max(2, minimum), o)}, nil
}

// Predict implements BoundPredictor; the bound's Achieved is NaN.
func (c *Chebyshev) Predict(r workload.Request) (Bound, bool) {
	bound, waits, ok := c.ask(&r, c.quantile, c.confidence)
	if ok {
		bound.Seconds = stats.Chebyshev(waits, c.quantile, c.oneSided).Value
	}
	return bound, ok
}
