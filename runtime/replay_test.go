package runtime

import (
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// table yields jobs, and then err unless it is nil.
func table(jobs []workload.Job, err error) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for _, j := range jobs {
			if !yield(j, nil) {
				return
			}
		}
		if err != nil {
			yield(workload.Job{}, err)
		}
	}
}

// job returns a job that is submitted, waits and runs; its class is its user and application.
func job(row int64, submit, wait, run float64, user, app int64) workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Row = row+1, row
	j.Submit, j.Wait, j.Run = submit, wait, run
	j.User, j.Application, j.Partition, j.Size = user, app, 1, 8
	return j
}

// predictions runs a replay and returns copies of its rows, by job ID.
func predictions(t testing.TB, jobs []workload.Job, entries ...Entry) map[int64][]workload.Prediction {
	t.Helper()
	rows := map[int64][]workload.Prediction{}
	for row, err := range Replay(table(jobs, nil), nil, entries...) {
		if err != nil {
			t.Fatal(err)
		}
		rows[row.Job.ID] = slices.Clone(row.Predictions)
	}
	return rows
}

func allEntries(t testing.TB) []Entry {
	t.Helper()
	entries, _, err := Entries(workload.Grouping{}, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 20 {
		t.Fatalf("%d entries, want five predictors under four ways of classing", len(entries))
	}
	return entries
}

// drawLog draws a log in which times often coincide.
func drawLog(rt *rapid.T) []workload.Job {
	n := rapid.IntRange(1, 40).Draw(rt, "n")
	jobs := make([]workload.Job, n)
	submit := 0.0
	for i := range jobs {
		submit += float64(rapid.IntRange(0, 3).Draw(rt, "gap"))
		wait := float64(rapid.IntRange(-1, 4).Draw(rt, "wait"))
		if wait < 0 {
			wait = math.NaN()
		}
		run := float64(rapid.IntRange(0, 12).Draw(rt, "run"))
		jobs[i] = job(int64(i), submit, wait, run, rapid.Int64Range(1, 3).Draw(rt, "user"), rapid.Int64Range(1, 2).Draw(rt, "app"))
	}
	return jobs
}

// end returns the time at which a job ends; an unknown wait counts as 0.
func end(j workload.Job) float64 {
	if math.IsNaN(j.Wait) {
		return j.Submit + j.Run
	}
	return j.End()
}

func same(a, b []workload.Prediction) bool {
	return slices.EqualFunc(a, b, func(p, q workload.Prediction) bool {
		return p == q || p.Observations == q.Observations && math.IsNaN(p.Seconds) && math.IsNaN(q.Seconds)
	})
}

// spy is a predictor that records what it is shown, and when.
type spy struct {
	predict func(workload.Request)
	observe func(workload.Job)
}

func (s spy) Predict(r *workload.Request) (workload.Prediction, bool) {
	s.predict(*r)
	return workload.Prediction{}, false
}

func (s spy) Observe(j *workload.Job) { s.observe(*j) }

// TestNoFuture checks that a predictor is shown a job's run time only after the job has ended, and
// never before it has predicted that job.
func TestNoFuture(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		jobs := drawLog(rt)
		predicted, observed := map[int64]bool{}, map[int64]bool{}
		s := spy{
			predict: func(r workload.Request) {
				predicted[r.ID] = true
				for id := range observed {
					if e := end(jobs[id-1]); e > r.Submit || id == r.ID {
						rt.Fatalf("job %d, submitted at %g, could learn from job %d that ends at %g", r.ID, r.Submit, id, e)
					}
				}
				for _, j := range jobs {
					// A job that starts at this instant comes after the submission, even if its run
					// time is zero.
					if e := end(j); !observed[j.ID] && (e < r.Submit || e == r.Submit && j.Submit < e && j.Run > 0) {
						rt.Fatalf("job %d, submitted at %g, was not shown job %d that ended at %g", r.ID, r.Submit, j.ID, e)
					}
				}
			},
			observe: func(j workload.Job) {
				if !predicted[j.ID] || observed[j.ID] {
					rt.Fatalf("job %d observed before it was predicted, or twice", j.ID)
				}
				observed[j.ID] = true
			},
		}
		predictions(t, jobs, Entry{Own: s})
		if len(predicted) != len(jobs) || len(observed) != len(jobs) {
			rt.Fatalf("%d of %d jobs predicted, %d observed", len(predicted), len(jobs), len(observed))
		}
	})
}

func TestLeftOut(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	jobs := []workload.Job{
		job(4, -7, 0, 5, 1, 1), // before the log's start, as in odd logs: a time like any other
		job(0, 0, 0, 5, 1, 1),
		job(1, 1, 0, nan, 1, 1),
		job(2, nan, 0, 5, 1, 1),
		job(3, 2, 0, -1, 1, 1),
		job(5, 3, 0, inf, 1, 1),
		job(6, 9, nan, 0, 1, 1),
	}
	var w workload.Warnings
	var ids []int64
	for row, err := range Replay(table(jobs, nil), &w, allEntries(t)...) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, row.Job.ID)
	}
	if !slices.Equal(ids, []int64{5, 1, 7}) {
		t.Errorf("jobs %v replayed, want 5, 1 and 7", ids)
	}
	got := map[string]int64{}
	for _, x := range w.List() {
		got[x.Rule] = x.Count
	}
	if len(got) != 2 || got["no-submit-time"] != 1 || got["no-run-time"] != 3 {
		t.Errorf("left out %v", got)
	}
}

func TestReplayErrors(t *testing.T) {
	torn := errors.New("torn")
	ordered := []workload.Job{job(0, 0, 0, 5, 1, 1), job(1, 8, 0, 5, 1, 1)}
	backward := []workload.Job{ordered[1], ordered[0]}
	status := jobtest.Must(workload.NewClassifier([]workload.ClassColumn{{Column: "status"}}))
	tests := []struct {
		name  string
		jobs  iter.Seq2[workload.Job, error]
		entry Entry
		rows  int
		want  string
	}{
		{"input", table(ordered, torn), Entry{Predictor: "es"}, 2, "torn"},
		{"order", table(backward, nil), Entry{Predictor: "es"}, 1, "job 1 (row 1) is out of order: submitted at 0 s, after one of 8 s; sort the jobs with workload.InOrder"},
		{"negative", table(ordered, nil), Entry{Predictor: "mine", Own: constant(-5)}, 0, "mine predicts -5 s for job 1, want a finite number of 0 or more"},
		{"infinite", table(ordered, nil), Entry{Predictor: "mine", Own: constant(math.Inf(1))}, 0, "mine predicts +Inf s for job 1"},
		{"gone", table(ordered, nil), Entry{Predictor: "failed", Own: new(failed)}, 1, "it is gone"},
		{"unchecked", table(ordered, torn), Entry{Own: constant(-5), Unchecked: true}, 2, "torn"},
		{"entry", table(ordered, nil), Entry{Predictor: "oracle"}, 0, `"oracle", want one of es, rm`},
		{"classes", table(ordered, nil), Entry{Predictor: "es", Classes: Classes{"odd", status}}, 0, "not known at submission"},
	}
	for _, tt := range tests {
		rows, last := 0, error(nil)
		for _, err := range Replay(tt.jobs, nil, tt.entry) {
			if last != nil {
				t.Errorf("%s: something follows the error", tt.name)
			}
			if last = err; err == nil {
				rows++
			}
		}
		if last == nil || !strings.Contains(last.Error(), tt.want) || rows != tt.rows {
			t.Errorf("%s: %d rows and error %v, want %d and %q", tt.name, rows, last, tt.rows, tt.want)
		}
	}
	for range Replay(table(ordered, nil), nil) {
		break // a consumer may stop
	}
}

// failed is a predictor that fails when a job ends.
type failed struct{ err error }

func (*failed) Predict(*workload.Request) (p workload.Prediction, ok bool) { return p, false }
func (f *failed) Observe(*workload.Job)                                    { f.err = errors.New("it is gone") }
func (f *failed) Err() error                                               { return f.err }

// constant is a custom predictor that predicts the same for every job.
type constant float64

func (c constant) Predict(*workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: float64(c)}, true
}

func (constant) Observe(*workload.Job) {}

// TestAnyReplayLikePredictor checks that every predictor predicts the same in a replay and when it
// is plugged in from outside.
func TestAnyReplayLikePredictor(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		jobs := drawRequested(rt)
		entries, _, err := Entries(workload.Grouping{}, []string{"user", "user+size"}, PredictorNames(), nil)
		if err != nil {
			t.Fatal(err)
		}
		plugged := slices.Clone(entries)
		for i, e := range plugged {
			if plugged[i].Own, err = New(e.Predictor, e.Classes); err != nil {
				t.Fatal(err)
			}
		}
		for id, row := range predictions(t, jobs, append(entries, plugged...)...) {
			if !same(row[:len(entries)], row[len(entries):]) {
				rt.Fatalf("job %d: %v by groups, %v plugged in", id, row[:len(entries)], row[len(entries):])
			}
		}
	})
}
