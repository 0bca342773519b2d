package runtime

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// quantileHistory is the number of last run times of a class that quantile keeps.
const quantileHistory = 1000

// quantile predicts an upper bound, not a typical run time: the order statistic of
// the class's last thousand run times that is at or above their quantile with
// a given confidence. With a history shorter than stats.MinimumHistory, 59 jobs for
// 0.95 and 0.95, there is no prediction. Brevik, Nurmi and Wolski (2006), "Predicting
// bounds on queuing delay for batch-scheduled parallel machines", bound waits in this way.
type quantile struct {
	Level      float64           `opt:"q" in:"(0,1)" help:"quantile of run times"`
	Confidence float64           `opt:"confidence" in:"(0,1)" help:"of the bound"`
	ranks      *stats.UpperRanks // one table for all classes
	runs       sortedRing
}

// Check returns an error if the level or the confidence is out of range, or if a bound needs
// more than quantileHistory jobs.
func (q quantile) Check() error {
	ranks, err := stats.NewUpperRanks(q.Level, q.Confidence)
	if err == nil && ranks.Minimum() > quantileHistory {
		err = fmt.Errorf("a pair that takes at most %d jobs of a class, not %d", quantileHistory, ranks.Minimum())
	}
	return err
}

func (q quantile) New() Predictor {
	if q.ranks == nil {
		q.ranks, _ = stats.NewUpperRanks(q.Level, q.Confidence) // Check has reported any error
	}
	return &q
}

func (q *quantile) Observe(j *workload.Job) { q.runs.put(j.Run, quantileHistory) }

func (q *quantile) Predict(*workload.Request) (workload.Prediction, bool) {
	sorted := q.runs.sorted
	rank, ok := q.ranks.At(len(sorted))
	if !ok {
		return nothing()
	}
	return fromJobs(len(sorted), sorted[rank.Rank-1])
}
