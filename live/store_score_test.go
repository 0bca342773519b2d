package live

import (
	"context"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func open(t *testing.T, name string) *workload.Log {
	t.Helper()
	log := jobtest.Must(logfile.Open(name, workload.Options{}))
	t.Cleanup(func() { log.Close() })
	return log
}

// The scores that the service shows of a replayed log are those that the command predict
// gives the log, and the service's store read as a log, to the last digit.
func TestScoresOfAService(t *testing.T) {
	if testing.Short() {
		t.Skip("replays a whole log")
	}
	name := reallogs.First(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz", longtest.Size(8000, 0))
	o := withoutPlan()
	o.Quantiles = []float64{0.5, 0.95}
	dir := t.TempDir()
	shown := jobtest.Must(replayed(t, name, dir, math.MaxInt, o).Scores())
	for _, s := range shown.Bounds { // bmbp and qbets, at two quantiles each
		for _, log := range []string{name, dir} {
			want := jobtest.Must(evaluate.Waits(context.Background(), open(t, log), evaluate.WaitsOptions{Predictors: []string{s.Predictor}, Quantile: s.Quantile, Scoring: evaluate.Scoring{Replicates: 39, Seed: 1}}))
			if got := want.Scores[0]; got.Predicted != s.Jobs || got.Coverage != s.Share || got.QuantileLoss != s.QuantileLoss || got.BoundMedian != s.BoundMedian || s.Jobs < longtest.Size(6000, 20000) {
				t.Errorf("%s: predict has %+v, the service %+v", log, got, s)
			}
		}
	}
}
