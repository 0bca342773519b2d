package predict

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// BMBP is the binomial method batch predictor: with waits x(1) <= ... <= x(n)
// of the group's history, the bound is x(k) for the smallest k with
// Pr{Bin(n, q) <= k-1} >= C, so that it is above the quantile q of the waits
// with probability C if they are independent and alike. Brevik, Nurmi and
// Wolski (2006), "Predicting bounds on queuing delay for batch-scheduled
// parallel machines". (The authors' program reads one rank lower, and covers
// less than it promises.)
//
// Waits that are no longer alike are dropped at change points. Their table
// holds for the quantile 0.95; at any other the history is kept whole.
//
// A wait costs O(log n).
type BMBP struct {
	quantile, confidence float64
	ranks                *stats.UpperRanks
	groups               [groups]bmbpGroup
}

type bmbpGroup struct {
	history history
	waits   orderStat
}

var _ BoundPredictor = (*BMBP)(nil)

// NewBMBP returns a BMBP without history. quantile and confidence lie between
// 0 and 1; 0.95 and 0.95 are customary.
func NewBMBP(quantile, confidence float64) (*BMBP, error) {
	ranks, err := stats.NewUpperRanks(quantile, confidence)
	if err != nil {
		return nil, fmt.Errorf("bmbp: %w", err)
	}
	b := &BMBP{quantile: quantile, confidence: confidence, ranks: ranks}
	lag := new(autocorrelation)
	for i := range b.groups {
		b.groups[i].history.changes = newChanges(quantile, ranks.Minimum(), lag)
	}
	return b, nil
}

// Name returns "bmbp".
func (*BMBP) Name() string { return "bmbp" }

// Predict is as BoundPredictor says.
func (b *BMBP) Predict(r workload.Request) (Bound, bool) {
	group := GroupOf(&r)
	g := &b.groups[group]
	n := len(g.history.waits)
	bound := Bound{
		Seconds: math.NaN(), Quantile: b.quantile, Confidence: b.confidence, Achieved: math.NaN(),
		Observations: n, Group: group,
	}
	rank, ok := b.ranks.At(n)
	if ok {
		bound.Seconds, bound.Achieved, bound.Rank = g.waits.value(), rank.Achieved, rank.Rank
	}
	return bound, ok
}

// Observe is as BoundPredictor says.
func (b *BMBP) Observe(j workload.Job, given Bound) {
	if !knownWait(&j) {
		return
	}
	g := &b.groups[GroupOf(&j.Request)]
	dropped := g.history.add(j.Wait, given.Seconds)
	rank, _ := b.ranks.At(len(g.history.waits)) // rank 0 where it is too short
	if dropped {
		g.waits.reset(g.history.waits, rank.Rank)
	} else {
		g.waits.add(j.Wait, rank.Rank)
	}
}

// knownWait says whether a job's wait can be learned from.
func knownWait(j *workload.Job) bool { return j.Wait >= 0 && !math.IsInf(j.Wait, 1) }
