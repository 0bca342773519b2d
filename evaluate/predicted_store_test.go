package evaluate

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// storeWith makes a store with some entries.
func storeWith(t *testing.T, entries ...journal.Entry) (dir string) {
	t.Helper()
	dir = t.TempDir()
	j, err := journal.Open(dir, journal.Begin{Origin: time.Unix(0, 0).UTC(), Source: "a test"})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := j.Append(entries...); err != nil {
		t.Fatal(err)
	}
	return dir
}

// eventOf is an event of a job. All jobs have one number: it is not what tells them apart.
func eventOf(kind workload.EventKind, row int64, submit, at float64) *journal.Event {
	e := &journal.Event{Kind: kind, Time: at, Job: workload.UnknownJob(), AnsweredAt: journal.Number(math.NaN())}
	e.Job.ID, e.Job.Row, e.Job.Submit = 7, row, submit
	if kind == workload.Start {
		e.Job.Wait = at - submit
	}
	return e
}

func answered(row int64, submit, bound float64, scored bool) *journal.Event {
	e := eventOf(workload.Submit, row, submit, submit)
	e.Scored, e.AnsweredAt = scored, journal.Number(submit)
	e.Answers = []journal.Answer{{Predictor: "bmbp", Quantile: 0.5, Seconds: journal.Number(bound)}, {Predictor: "bmbp", Quantile: 0.95, Seconds: journal.Number(math.NaN())}}
	return e
}

func expected(row int64, submit, ours, theirs float64) *journal.Expect {
	return &journal.Expect{ID: 7, Row: row, Submit: journal.Number(submit), At: submit, Ours: journal.Number(ours), Theirs: journal.Number(theirs),
		Quantiles: []float64{0.5, 0.9}, Bounds: []float64{ours, math.NaN()}}
}

// TestScoresOfAStoreByHand: of six jobs that are scored, with bounds of 20 s, one waited
// 0 s and one 40 s; one was withdrawn after 30 s, and one still waits after 600 s: these
// have outwaited their bounds. One was withdrawn after 10 s, and one waits for 10 s yet: they
// tell nothing.
func TestScoresOfAStoreByHand(t *testing.T) {
	nan := math.NaN()
	dir := storeWith(t,
		answered(10, 0, 20, false), eventOf(workload.Start, 10, 0, 10),
		answered(11, 100, 20, true), expected(11, 100, 5, nan), eventOf(workload.Start, 11, 100, 100),
		answered(12, 200, 20, true), expected(12, 200, 30, 60), eventOf(workload.Start, 12, 200, 240),
		answered(13, 300, 20, true), answered(14, 310, 20, true),
		eventOf(workload.Finish, 14, 310, 320), eventOf(workload.Finish, 13, 300, 330),
		answered(15, 400, 20, true), answered(16, 990, 20, true), eventOf(workload.Finish, 11, 100, 1000),
	)
	p, err := predictions.ReadStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	// The service goes on: the job that has outwaited its bound starts, and another one.
	j, err := journal.Open(dir, journal.Begin{})
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(eventOf(workload.Start, 15, 400, 1100), answered(17, 1200, 20, true), eventOf(workload.Start, 17, 1200, 1200)); err != nil {
		t.Fatal(err)
	}
	j.Close()
	log, err := logfile.Open(dir, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	r, err := ScoreWaits(context.Background(), p, log, WaitsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// The bounds lose half of 20 s and half of 20 s. The errors of the schedules are 5 and
	// 10 s, of which their bounds lose half, and that of the scheduler is 20 s.
	b := r.Score("bmbp@0.5")
	if b.Jobs != 2 || b.Predicted != 2 || b.Outwaited != 2 || b.Coverage != 0.25 || b.NonZeroCoverage != 0 || math.Abs(float64(b.QuantileLoss)-10.0/60) > 1e-15 {
		t.Errorf("%+v", b)
	}
	if s := r.Score("drawn"); s.Bound || s.Predicted != 2 || math.Abs(float64(s.AbsoluteErrorMean)-7.5/60) > 1e-15 {
		t.Errorf("%+v", s)
	}
	if s := r.Score("drawn@0.5"); s.Predicted != 2 || s.Coverage != 0.5 || math.Abs(float64(s.QuantileLoss)-3.75/60) > 1e-15 || r.Score("drawn@0.9") != nil {
		t.Errorf("%+v", s)
	}
	if s := r.Score("scheduler"); s.Bound || s.Predicted != 1 || math.Abs(float64(s.AbsoluteErrorMean)-20.0/60) > 1e-15 {
		t.Errorf("%+v", s)
	}
	if s := r.Score("bmbp@0.95"); s.Predicted != 0 || s.Outwaited != 0 {
		t.Errorf("%+v", s)
	}
	for _, w := range r.Warnings {
		if w.Rule != "outwaited" && w.Rule != "predicted-nothing" && w.Rule != "few-jobs" || w.Rule == "outwaited" && w.Count != 2 {
			t.Error(w)
		}
	}
}
