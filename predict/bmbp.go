package predict

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// BMBP is the binomial method batch predictor. With the waits x(1) <= ... <=
// x(n) of the group's history, the bound is x(k) for the smallest k with
// Pr{Bin(n, q) <= k-1} >= C. If the waits are independent and identically
// distributed, it is at least their quantile q with probability at least C.
// Brevik, Nurmi and Wolski (2006), "Predicting bounds on queuing delay for
// batch-scheduled parallel machines". (The authors' program reads one rank
// lower, and covers less than it promises.)
//
// Older waits are dropped at change points (changeRule).
//
// Learning a wait takes O(log n) time.
type BMBP struct {
	quantile, confidence float64
	ranks                *stats.UpperRanks
	groups               grouped[*bmbpGroup]
}

// bmbpGroup holds the waits of one group.
type bmbpGroup struct {
	history history
	waits   orderStat
}

// NewBMBP returns a BMBP without history. quantile and confidence are in (0,
// 1), or the error is a *workload.OptionError; 0.95 is customary for both.
func NewBMBP(quantile, confidence float64, o BoundOptions) (*BMBP, error) {
	if err := checkLevels(quantile, confidence); err != nil {
		return nil, err
	}
	ranks, err := stats.NewUpperRanks(quantile, confidence)
	if err != nil {
		return nil, fmt.Errorf("bmbp: %w", err)
	}
	rule := &changeRule{minimum: ranks.Minimum(), quantile: quantile}
	return &BMBP{quantile, confidence, ranks, newGrouped(o.Groups, func() *bmbpGroup {
		return &bmbpGroup{history: history{rule: rule}}
	})}, nil
}

// Name returns "bmbp".
func (*BMBP) Name() string { return "bmbp" }

// Predict implements BoundPredictor.
func (b *BMBP) Predict(r workload.Request) (Bound, bool) {
	g := b.groups.at(&r)
	return b.bound(g.of, g.label)
}

// bound returns the bound for the next wait of a group.
func (b *BMBP) bound(g *bmbpGroup, label string) (Bound, bool) {
	n := len(g.history.waits)
	bound := Bound{
		Seconds: math.NaN(), Quantile: b.quantile, Confidence: b.confidence, Achieved: math.NaN(),
		Observations: n, Group: label,
	}
	rank, ok := b.ranks.At(n)
	if ok {
		bound.Seconds, bound.Achieved, bound.Rank = g.waits.value(), rank.Achieved, rank.Rank
	}
	return bound, ok
}

// Observe implements BoundPredictor.
func (b *BMBP) Observe(j workload.Job, given Bound) {
	if knownWait(&j) {
		b.learn(b.groups.at(&j.Request).of, j.Wait, given.Seconds)
	}
}

// learn adds a wait to a group, with the bound that was given for it (NaN for none).
func (b *BMBP) learn(g *bmbpGroup, wait, bound float64) {
	dropped := g.history.add(wait, bound)
	rank, _ := b.ranks.At(len(g.history.waits)) // rank 0 if the history is too short
	if dropped {
		g.waits.reset(g.history.waits, rank.Rank)
	} else {
		g.waits.add(wait, rank.Rank)
	}
}

// knownWait reports whether a job's wait can be learned from.
func knownWait(j *workload.Job) bool { return j.Wait >= 0 && !math.IsInf(j.Wait, 1) }

// Chebyshev bounds waits by Chebyshev's inequality: the mean of the group's
// history plus 1/sqrt(1-q) standard deviations, 2 sqrt(5) at the quantile 0.95.
// Sonmez, Yigitbasi, Iosup and Epema (2009), "Trace-based evaluation of job
// runtime and queue wait time predictions in grids", section 4.2. The
// inequality is two-sided and holds for any distribution, so the bound is wide.
//
// The history is grouped and trimmed as for BMBP, with this bound's own misses
// and hits (the paper says only "in a similar way").
type Chebyshev struct {
	quantile, confidence float64
	minimum              int
	groups               grouped[*chebyshevGroup]
}

// chebyshevGroup holds the waits of one group.
type chebyshevGroup struct {
	history history
	moments stats.Moments
}

// NewChebyshev returns a Chebyshev without history. quantile and confidence are
// in (0, 1), or the error is a *workload.OptionError. The confidence only determines
// the minimum length of the history, as for BMBP: 59 waits at 0.95 and 0.95.
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

// Observe implements BoundPredictor.
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
