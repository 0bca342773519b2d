package runtime

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// QuantileName is what quantile is called among the predictors.
const QuantileName = "quantile"

// quantileHistory is how many of the last run times of a class quantile keeps.
const quantileHistory = 1000

// quantile is an upper bound, not a guess of the middle: the order statistic of
// the class's last thousand run times that is at or above their quantile with
// a given confidence. Shorter histories than stats.MinimumHistory, 59 jobs at
// 0.95 and 0.95, have none. Brevik, Nurmi and Wolski (2006), "Predicting
// bounds on queuing delay for batch-scheduled parallel machines", bound waits
// so.
type quantile struct {
	ranks *stats.UpperRanks
	shelf *shelf[quantileClass]
}

var _ rule = quantile{}

type quantileClass struct {
	ring   []float64 // in order of the ends
	sorted []float64
	next   int
}

func newQuantile(q, c float64) (rule, error) {
	ranks, err := stats.NewUpperRanks(q, c)
	if err != nil {
		return nil, fmt.Errorf("job runtime: %w", err)
	}
	if least := ranks.Minimum(); least > quantileHistory {
		return nil, workload.OptionFault("quantile", fmt.Sprintf("%g with `confidence` %g, which takes %d jobs of a class", q, c, least),
			"a pair that takes at most %d", quantileHistory)
	}
	return quantile{ranks, &shelf[quantileClass]{}}, nil
}

func (quantile) width() int { return 1 }

func (q quantile) observe(state []float64, _ int, j *workload.Job) {
	c := q.shelf.open(state)
	if len(c.ring) < quantileHistory {
		c.ring = append(c.ring, j.Run)
	} else {
		at, _ := slices.BinarySearch(c.sorted, c.ring[c.next])
		c.sorted = slices.Delete(c.sorted, at, at+1)
		c.ring[c.next] = j.Run
		c.next = (c.next + 1) % quantileHistory
	}
	at, _ := slices.BinarySearch(c.sorted, j.Run)
	c.sorted = slices.Insert(c.sorted, at, j.Run)
}

func (q quantile) predict(state []float64, _ int, _ *workload.Request) workload.Prediction {
	sorted := q.shelf.at(state).sorted
	rank, ok := q.ranks.At(len(sorted))
	if !ok {
		return nothing()
	}
	return workload.Prediction{Seconds: sorted[rank.Rank-1], Observations: len(sorted)}
}
