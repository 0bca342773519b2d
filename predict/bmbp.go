package predict

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"github.com/loadstone-hpc/loadstone/predict/internal/series"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// BMBP is the binomial method batch predictor. With the waits x(1) <= ... <=
// x(n) of the group's history, the bound is x(k) for the smallest k with
// Pr{Bin(n, q) <= k-1} >= C. It is above the quantile q of the waits with
// probability at least C if they are independent and identically distributed.
// Brevik, Nurmi and Wolski (2006), "Predicting bounds on queuing delay for
// batch-scheduled parallel machines". (The authors' program reads one rank
// lower, and covers less than it promises.)
//
// Older waits are dropped at change points (ChangeRule).
//
// Learning a wait takes O(log n) time.
type BMBP struct {
	name                 string
	quantile, confidence float64
	minimum              int
	rank                 func(n int) (stats.OrderStatistic, bool)
	groups               grouped[*bmbpGroup]
}

// bmbpGroup is the waits of one group.
type bmbpGroup struct {
	history history
	waits   series.OrderStat
}

var _ BoundPredictor = (*BMBP)(nil)

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
	return newBMBP("bmbp", quantile, confidence, ranks.Minimum(), ranks.At, o), nil
}

// NewBMBPAuthors returns a BMBP with the rank of the authors' program instead
// of the theorem's: one lower up to 500 waits, and above it the normal
// approximation n q + z_C sqrt(n q (1-q)), rounded. It covers less than it
// promises: with 59 waits at 0.95 and 0.95 its confidence is 0.80, as its
// bounds say.
func NewBMBPAuthors(quantile, confidence float64, o BoundOptions) (*BMBP, error) {
	if err := checkLevels(quantile, confidence); err != nil {
		return nil, err
	}
	ranks, err := stats.NewUpperRanks(quantile, confidence)
	if err != nil {
		return nil, fmt.Errorf("bmbp: %w", err)
	}
	return newBMBP("bmbp-authors", quantile, confidence, ranks.Minimum(), authorsRank(ranks, quantile, confidence), o), nil
}

func newBMBP(name string, quantile, confidence float64, minimum int, rank func(int) (stats.OrderStatistic, bool), o BoundOptions) *BMBP {
	rules := newChangeRules(o.Changes, quantile, minimum)
	return &BMBP{name, quantile, confidence, minimum, rank, newGrouped(o.Groups, func() *bmbpGroup {
		return &bmbpGroup{history: history{changes: rules.changes()}}
	})}
}

// authorsExact is up to how many waits the authors' program sums exactly.
const authorsExact = 500

func authorsRank(ranks *stats.UpperRanks, q, c float64) func(int) (stats.OrderStatistic, bool) {
	known := map[int]stats.OrderStatistic{}
	return func(n int) (stats.OrderStatistic, bool) {
		o, ok := ranks.At(n)
		if !ok {
			return o, false
		}
		if k, ok := known[n]; ok {
			return k, true
		}
		o.Rank--
		if n > authorsExact {
			mean := float64(n) * q
			o.Rank = min(n, int(mean+mathext.NormalQuantile(c)*math.Sqrt(mean*(1-q))+0.5))
		}
		o.Rank = max(1, o.Rank)
		// Pr{Bin(n, q) <= k-1}, in terms of the incomplete beta function.
		o.Achieved = mathext.RegIncBeta(float64(n-o.Rank+1), float64(o.Rank), 1-q)
		known[n] = o
		return o, true
	}
}

// Name returns "bmbp", or "bmbp-authors" with the authors' rank.
func (b *BMBP) Name() string { return b.name }

// Predict implements BoundPredictor.
func (b *BMBP) Predict(r workload.Request) (Bound, bool) {
	g := b.groups.at(&r)
	return b.bound(g.of, g.label)
}

// bound is the bound of the next wait of a group.
func (b *BMBP) bound(g *bmbpGroup, label string) (Bound, bool) {
	n := len(g.history.waits)
	bound := Bound{
		Seconds: math.NaN(), Quantile: b.quantile, Confidence: b.confidence, Achieved: math.NaN(),
		Observations: n, Group: label,
	}
	rank, ok := b.rank(n)
	if ok {
		bound.Seconds, bound.Achieved, bound.Rank = g.waits.Value(), rank.Achieved, rank.Rank
	}
	return bound, ok
}

// Observe is as BoundPredictor says.
func (b *BMBP) Observe(j workload.Job, given Bound) {
	if knownWait(&j) {
		b.learn(b.groups.at(&j.Request).of, j.Wait, given.Seconds)
	}
}

// learn enters a wait of a group and the bound that it had, NaN for none.
func (b *BMBP) learn(g *bmbpGroup, wait, bound float64) {
	dropped := g.history.add(wait, bound)
	rank, _ := b.rank(len(g.history.waits)) // rank 0 where it is too short
	if dropped {
		g.waits.Reset(g.history.waits, rank.Rank)
	} else {
		g.waits.Add(wait, rank.Rank)
	}
}

// knownWait says whether a job's wait can be learned from.
func knownWait(j *workload.Job) bool { return j.Wait >= 0 && !math.IsInf(j.Wait, 1) }
