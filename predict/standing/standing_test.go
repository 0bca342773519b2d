package standing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

var quantiles = []float64{0.5, 0.8, 0.95}

// all are the predictors that there are.
func all(t *testing.T) (list []predict.Predictor) {
	t.Helper()
	o := &Options{Processors: 16, Policy: sched.EASY{}, Draws: 50, Seed: 1, Quantiles: quantiles, Confidence: 0.9}
	list, err := New(Names(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bmbp", "qbets", "chebyshev", predict.ConformalBound} {
		bounds, err := predict.NewBounds([]string{name}, quantiles, 0.9, predict.BoundOptions{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, predict.NewPastWaits(name, bounds))
	}
	return list
}

// someLog is jobs with the waits of a busy machine of 16 processors.
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

// witness notes what a predictor answers, one line an answer; before each question ask is
// told of it.
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

// answers are those of all predictors about some jobs at their submissions.
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

func compare(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d answers, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}

// A question changes nothing: not the answer to the next one, whatever it is about, nor what
// is learned.
func TestQuestionsChangeNothing(t *testing.T) {
	jobs := someLog(t, 600)
	compare(t, answers(t, jobs, func(p predict.Predictor, m *predict.Snapshot, request *workload.Request) {
		for _, size := range []int64{1, 16} {
			r := *request
			r.Size, r.Time, r.User = size, 7200, 2
			for range 2 {
				if _, err := p.Ask(m, &r); err != nil {
					t.Fatal(err)
				}
			}
		}
	}), answers(t, jobs, nil))
}

// No answer changes with what happens later: with other jobs after a moment, and other waits
// and run times of those that wait or run then. With other jobs before it, answers do.
func TestNoPredictorSeesTheFuture(t *testing.T) {
	jobs := someLog(t, 600)
	var last int
	until := func(lines []string) []string {
		return slices.DeleteFunc(lines, func(l string) bool {
			var row int
			fmt.Sscan(l, &row)
			return row >= last
		})
	}
	whole := answers(t, jobs, nil)
	for last = 420; last < 600; last += 140 {
		now := jobs[last-1].Submit
		later := slices.Clone(jobs)
		for i := range later {
			j := &later[i]
			switch {
			case j.Submit > now:
				j.Size, j.User, j.Wait, j.Run, j.Time = 9-j.Size, 9, 5*j.Wait+1, 3*j.Run+1, 50000
			case j.Start() > now:
				j.Wait, j.Run = 2*j.Wait+70, 3*j.Run+1
			case j.End() > now:
				j.Run = 2*j.Run + 90
			}
		}
		compare(t, until(answers(t, later, nil)), until(slices.Clone(whole)))
	}

	earlier := slices.Clone(jobs)
	for i := range 300 {
		earlier[i].Wait, earlier[i].Run = 2*earlier[i].Wait+30, 1.5*earlier[i].Run+40
	}
	differ := map[string]bool{}
	for i, l := range answers(t, earlier, nil) {
		if l != whole[i] {
			differ[strings.Fields(l)[1]] = true
		}
	}
	for _, p := range all(t) {
		if !differ[p.Name()] {
			t.Errorf("%s does not learn: all answers are the same", p.Name())
		}
	}
}

// Each predictor has answers: bounds of all quantiles, or an expected wait, or both.
func TestPredictorsAnswer(t *testing.T) {
	jobs := someLog(t, 600)
	said := map[string]int{}
	answers(t, jobs, func(p predict.Predictor, m *predict.Snapshot, r *workload.Request) {
		f, err := p.Ask(m, r)
		switch {
		case err != nil:
			t.Fatal(err)
		case f.Missing != "":
			return
		case f.Bounds != nil && len(f.Bounds) != len(quantiles), f.Bounds == nil && math.IsNaN(f.Expected), f.Expected < 0:
			t.Errorf("%s: %+v", p.Name(), f)
		}
		said[p.Name()]++
		for i, b := range f.Bounds {
			if b.Seconds < 0 || !math.IsNaN(b.Seconds) && b.Quantile != quantiles[i] {
				t.Errorf("%s: %+v", p.Name(), b)
			}
		}
	})
	for _, p := range all(t) {
		if said[p.Name()] == 0 {
			t.Errorf("%s has no answer", p.Name())
		}
	}
	if _, err := New([]string{"oracle"}, &Options{}); err == nil {
		t.Error("a name that is none")
	}
}
