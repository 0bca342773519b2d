package runtime

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// quantileHistory is how many of the last run times of a class quantile keeps.
const quantileHistory = 1000

// quantile is an upper bound, not a guess of the middle: the order statistic of
// the class's last thousand run times that is at or above their quantile with
// a given confidence. Shorter histories than stats.MinimumHistory, 59 jobs at
// 0.95 and 0.95, have none. Brevik, Nurmi and Wolski (2006), "Predicting
// bounds on queuing delay for batch-scheduled parallel machines", bound waits
// so.
type quantile struct {
	Level      float64 `opt:"q" in:"(0,1)" help:"quantile of run times"`
	Confidence float64 `opt:"confidence" in:"(0,1)" help:"of the bound"`
	ranks      *stats.UpperRanks
	shelf      *shelf[quantileClass]
}

var _ starter = quantile{}

type quantileClass struct {
	ring   []float64 // in order of the ends
	sorted []float64
	next   int
}

// Check returns an error if a bound takes too many jobs.
func (q quantile) Check() error {
	ranks, err := stats.NewUpperRanks(q.Level, q.Confidence)
	if err == nil && ranks.Minimum() > quantileHistory {
		err = fmt.Errorf("a pair that takes at most %d jobs of a class, not %d", quantileHistory, ranks.Minimum())
	}
	return err
}

func (q quantile) start() (rule, error) {
	ranks, err := stats.NewUpperRanks(q.Level, q.Confidence)
	q.ranks, q.shelf = ranks, &shelf[quantileClass]{}
	return q, err
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
