package evaluate

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
)

// headTallies count what comes of the predictors at the head of the queue.
type headTallies struct {
	run    *waits
	a, b   int // places of downey-a and downey-b, below 0 for none
	waits  []*waitTally
	needed score.NeededTally
}

func (r *waits) newHeadTallies(names []string) *headTallies {
	t := &headTallies{run: r, waits: r.newTallies(HeadWaits, func(string) bool { return false }, names)}
	t.a, t.b = slices.Index(names, "downey-a"), slices.Index(names, "downey-b")
	if t.a >= 0 && t.b >= 0 {
		r.threshold = new(predict.Threshold)
	}
	return t
}

// add enters a job.
func (t *headTallies) add(row *predict.HeadWait) error {
	t.needed.Add(row.Needed, row.Benefactors)
	if t.run.threshold != nil {
		t.run.threshold.Add(row.Needed, row.Predictions[t.a].Seconds, row.Predictions[t.b].Seconds, row.Actual)
	}
	for i, p := range row.Predictions {
		if err := t.waits[i].add(&row.Request, unbounded(p), row.Actual); err != nil {
			return err
		}
	}
	return nil
}

// conclude puts the scores into the run.
func (t *headTallies) conclude() {
	r := t.run
	r.needed, r.tallies = t.needed.Result(), t.waits
}
