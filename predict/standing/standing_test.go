package standing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

var quantiles = []float64{0.5, 0.8, 0.95}

// all returns all predictors.
func all(t *testing.T) (list []predict.Predictor) {
	t.Helper()
	o := &Options{Processors: 16, Policy: sched.EASY{}, Draws: 50, Seed: 1, Quantiles: quantiles, Confidence: 0.9}
	list, err := New(Names(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bmbp", "qbets", "chebyshev", predict.ConformalBound, predict.CombinedBound} {
		bounds, err := predict.NewBounds([]string{name}, quantiles, 0.9, predict.BoundOptions{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, predict.NewPastWaits(name, bounds))
	}
	return list
}

// someLog returns jobs with the waits of a busy machine of 16 processors.
func someLog(t *testing.T, n int) (jobs []workload.Job) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 7))
	at := 0.0
	for i := range n {
		at += rng.ExpFloat64() * 240
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.User = int64(i+1), int64(i), at, rng.Int64N(4)
		j.Size = 1 + rng.Int64N(8)
		j.Processors, j.Allocated = j.Size, j.Size
		j.Run = 30 * math.Exp(4*rng.Float64()) * float64(1+j.User)
		j.Time = j.Run * (1 + 3*rng.Float64())
		jobs = append(jobs, j)
	}
	byRow := slices.Clone(jobs)
	for j, err := range sched.Simulate(workload.JobsOf(jobs), sched.Config{Processors: 16, Policy: sched.EASY{}}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		byRow[j.Row].Wait = j.Wait
	}
	return byRow
}

// witness records a predictor's answers, one per line; ask is called before each question.
type witness struct {
	predict.Predictor
	ask   func(predict.Predictor, *predict.Snapshot, *workload.Request)
	lines *[]string
}

func (w witness) Ask(m *predict.Snapshot, r *workload.Request) (predict.Forecast, error) {
	if w.ask != nil {
		w.ask(w.Predictor, m, r)
	}
	f, err := w.Predictor.Ask(m, r)
	*w.lines = append(*w.lines, fmt.Sprint(r.Row, " ", w.Name(), " ", f))
	return f, err
}

// answers returns the answers of all predictors for some jobs at their submission.
func answers(t *testing.T, jobs []workload.Job, ask func(predict.Predictor, *predict.Snapshot, *workload.Request)) (lines []string) {
	t.Helper()
	replay := predict.Replay{Processors: 16, Chosen: func(r *workload.Request) bool { return r.Row%20 == 19 }}
	for _, p := range all(t) {
		replay.Predictors = append(replay.Predictors, witness{p, ask, &lines})
	}
	for _, err := range replay.Jobs(workload.JobsOf(jobs)) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return lines
}

// Each predictor has answers: bounds of all quantiles, or an expected wait, or both. A question
// has no side effects: it changes neither later answers nor what is learned. (TestNoLookingAhead
// of evaluate asks all of them about the same past with another future.)
func TestAnswers(t *testing.T) {
	jobs := someLog(t, 600)
	said := map[string]int{}
	curious := answers(t, jobs, func(p predict.Predictor, m *predict.Snapshot, request *workload.Request) {
		for _, size := range []int64{1, 16, 16} {
			r := *request
			r.Size, r.Time, r.User = size, 7200, 2
			f, err := p.Ask(m, &r)
			switch {
			case err != nil:
				t.Fatal(err)
			case f.Missing != "":
				continue
			case f.Bounds != nil && len(f.Bounds) != len(quantiles), f.Bounds == nil && math.IsNaN(f.Expected), f.Expected < 0:
				t.Errorf("%s: %+v", p.Name(), f)
			}
			said[p.Name()]++
			for i, b := range f.Bounds {
				if b.Seconds < 0 || !math.IsNaN(b.Seconds) && b.Quantile != quantiles[i] {
					t.Errorf("%s: %+v", p.Name(), b)
				}
			}
		}
	})
	for i, want := range answers(t, jobs, nil) {
		if curious[i] != want {
			t.Errorf("asked more often: %s\nwant %s", curious[i], want)
		}
	}
	for _, p := range all(t) {
		if said[p.Name()] == 0 {
			t.Errorf("%s has no answer", p.Name())
		}
	}
	if _, err := New([]string{"oracle"}, &Options{}); err == nil {
		t.Error("an unknown name is accepted")
	}
}
