package live

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
)

// The combined predictor is recommended as long as its coverage suffices, even if others have a
// smaller loss; otherwise, of the predictors with enough coverage, the one with the smallest loss.
func TestBest(t *testing.T) {
	record := func(name string, jobs int, coverage, loss float64) tested {
		return tested{name, jobs, score.BoundRecord{Quantile: 0.95, Coverage: coverage, Loss: loss}}
	}
	bmbp, qbets := record("bmbp", 100, 0.96, 5), record("qbets", 100, 0.95, 4)
	for want, combined := range map[string]tested{
		predict.CombinedBound: record(predict.CombinedBound, 100, 0.94, 4.5),
		"qbets":               record(predict.CombinedBound, 100, 0.93, 3),
	} {
		if got := best([]tested{bmbp, combined, qbets}); got.predictor != want {
			t.Errorf("recommends %s, want %s", got.predictor, want)
		}
	}
	if got := best([]tested{bmbp, record(predict.CombinedBound, 10, 1, 1)}); got.predictor != "bmbp" {
		t.Errorf("recommends %s, which is tested on 10 jobs", got.predictor)
	}
}
