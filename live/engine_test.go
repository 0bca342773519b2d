package live

import (
	"context"
	"io"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func openLog(t *testing.T, name string) *workload.Log {
	t.Helper()
	log, err := logfile.Open(name, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log
}

// The answers about the jobs of a log have the scores of evaluate.Waits, to the last
// digit, whatever is asked in between and however the events are batched.
func TestScoresAsEvaluate(t *testing.T) {
	if testing.Short() {
		t.Skip("replays a whole log")
	}
	name := reallogs.First(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz", longtest.Size(3000, 0))
	o := DefaultOptions()
	e, err := newEngine(&o)
	if err != nil {
		t.Fatal(err)
	}
	var batch []change
	learn := func() {
		if _, err := e.learn(batch); err != nil {
			t.Fatal(err)
		}
		batch = batch[:0]
		r := workload.UnknownJob().Request
		r.ID, r.Submit, r.Row, r.Processors, r.Size, r.Time = 1, e.now, e.rows, 8, 8, 3600
		if _, err := e.predictors.ask(r); err != nil {
			t.Fatal(err)
		}
	}
	feed, err := Replay(context.Background(), func() (*workload.Log, error) { return logfile.Open(name, workload.Options{}) }, ReplayOptions{Speed: math.Inf(1), Interval: 600})
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Close()
	submitted := 0
	for {
		b, err := feed.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, ev := range b.Events {
			c := change{Event: ev, givenAt: ev.Time, scored: b.Training <= 0}
			if ev.Kind == workload.Submit {
				submitted++
				b.Training--
			}
			batch = append(batch, c)
			if len(batch) == 1+submitted%200 {
				learn()
			}
		}
	}
	learn()
	missing, open := e.waiting(e.now)
	scores := e.audit.score(e.now, missing, open)
	for k, q := range o.Quantiles {
		want, err := evaluate.Waits(context.Background(), openLog(t, name), evaluate.WaitsOptions{Predictors: o.Predictors, Quantile: q, Confidence: o.Confidence})
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range want.Scores {
			got := scores[i*len(o.Quantiles)+k]
			if got.Predictor != w.Predictor || got.Quantile != q {
				t.Fatalf("score %d is of %s at %g, want %s at %g", i, got.Predictor, got.Quantile, w.Predictor, q)
			}
			if got.Answers != w.Predicted || got.Settled != w.Predicted || got.Coverage.All != w.Coverage || got.QuantileLoss != w.QuantileLoss || got.BoundMedian != w.BoundMedian {
				t.Errorf("%s at %g: %+v, want %d jobs, coverage %v, loss %v min, median %v min", w.Predictor, q, got, w.Predicted, w.Coverage, w.QuantileLoss, w.BoundMedian)
			}
		}
	}
	if len(e.open) > 0 || math.IsNaN(e.since) {
		t.Errorf("%d jobs are open at the end, since %g", len(e.open), e.since)
	}
}
