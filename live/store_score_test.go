package live

import (
	"context"
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func asJSON(t *testing.T, x any) string {
	t.Helper()
	text, err := json.MarshalIndent(x, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func open(t *testing.T, name string) *workload.Log {
	t.Helper()
	log, err := logfile.Open(name, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}

// scoresOf are the scores of a store.
func scoresOf(t *testing.T, dir string, o evaluate.WaitsOptions) *evaluate.WaitsResult {
	t.Helper()
	p, err := predictions.ReadStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := evaluate.ScoreWaits(context.Background(), p, open(t, dir), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The scores of a service with simulated schedules, at a moment at which jobs wait, are those
// of its store.
func TestScoresOfAStoreWithPlans(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates schedules for some seconds")
	}
	name := reallogs.Path(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz")
	o := withoutPlan()
	o.Predictors, o.Draws = []string{"bmbp"}, 20
	dir := t.TempDir()
	shown, err := replayed(t, name, dir, 1200, o).Scores()
	if err != nil {
		t.Fatal(err)
	}
	stored := scoresOf(t, dir, evaluate.WaitsOptions{})
	outwaited := 0
	for _, s := range shown.Bounds {
		got := stored.Score(s.Predictor + "@" + strconv.FormatFloat(s.Quantile, 'g', -1, 64))
		if got == nil {
			t.Fatalf("no score of %s at %g", s.Predictor, s.Quantile)
		}
		outwaited += got.Outwaited
		if got.Predicted+got.Outwaited != s.Jobs || got.Coverage != s.Share || got.QuantileLoss != s.QuantileLoss || got.BoundMedian != s.BoundMedian || s.Jobs < 100 {
			t.Errorf("the store has %+v, the service %+v", got, s)
		}
	}
	if n := len(shown.Bounds); n != 6 || outwaited == 0 {
		t.Errorf("%d scores, %d jobs that outwaited their bounds: too few for a test", n, outwaited)
	}
}

// The store of a replayed log has the scores that the service shows and those that the
// command predict gives the log, to the last digit.
func TestScoresOfAStore(t *testing.T) {
	if testing.Short() {
		t.Skip("replays a whole log")
	}
	name := reallogs.First(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz", longtest.Size(8000, 0))
	o := withoutPlan()
	o.Quantiles = []float64{0.5, 0.95}
	dir := t.TempDir()
	shown, err := replayed(t, name, dir, math.MaxInt, o).Scores()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	stored := scoresOf(t, dir, evaluate.WaitsOptions{Scoring: evaluate.Scoring{Replicates: 39, Seed: 1}})
	for _, w := range stored.Warnings {
		t.Error(w)
	}
	for i, s := range shown.Bounds {
		got := stored.Score(s.Predictor + "@" + strconv.FormatFloat(s.Quantile, 'g', -1, 64))
		if got == nil {
			t.Fatalf("no score of %s", s.Predictor)
		}
		if got.Predicted != s.Jobs || got.Coverage != s.Share || got.QuantileLoss != s.QuantileLoss || got.BoundMedian != s.BoundMedian {
			t.Errorf("%s: the store has %+v, the service %+v", got.Predictor, got, s)
		}
		// bmbp and qbets, at two quantiles each
		want, err := evaluate.Waits(ctx, open(t, name), evaluate.WaitsOptions{Predictors: []string{s.Predictor}, Quantile: s.Quantile, Scoring: evaluate.Scoring{Replicates: 39, Seed: 1}})
		if err != nil {
			t.Fatal(err)
		}
		again := want.Scores[0]
		again.Predictor = got.Predictor
		if d := cmp.Diff(asJSON(t, again), asJSON(t, got)); d != "" || got.Predicted < longtest.Size(6000, 20000) {
			t.Errorf("score %d: predict and the store differ: %s", i, d)
		}
	}
	// And the store is the log, as far as predictors know: all jobs with their waits.
	again, err := evaluate.Waits(ctx, open(t, dir), evaluate.WaitsOptions{Predictors: o.Predictors, Quantile: 0.95})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range again.Scores {
		if got := stored.Score(s.Predictor + "@0.95"); s.QuantileLoss != got.QuantileLoss || s.Coverage != got.Coverage || s.Jobs != got.Jobs {
			t.Errorf("predict STORE has %+v, score STORE %+v", s, got)
		}
	}
}
