package evaluate

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func open(t *testing.T, text string) *workload.Log {
	t.Helper()
	log := jobtest.Must(logfile.OpenReader("log.swf", strings.NewReader(text), workload.Options{}))
	t.Cleanup(func() { log.Close() })
	return log
}

// User 7 runs for 100, 50 and 200 s, user 8 once for 10 s.
const fourJobs = `; MaxProcs: 4
1 0 0 100 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 1 -1 -1
2 200 0 50 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 1 -1 -1
3 260 0 200 1 -1 -1 1 -1 -1 1 7 -1 -1 -1 1 -1 -1
4 500 0 10 1 -1 -1 1 -1 -1 1 8 -1 -1 -1 1 -1 -1
`

func TestRunTimesHandsOutPredictionsInOrder(t *testing.T) {
	type said struct{ job, seconds, observations float64 }
	var got []said
	watched := 0
	r := jobtest.Must(RunTimes(context.Background(), open(t, fourJobs), RunTimesOptions{
		Predictors: []string{"last"}, Classes: []string{"user"},
		Predicted: func(p RunTimePrediction) error {
			got = append(got, said{float64(p.Job.ID), p.Seconds, float64(p.Observations)})
			if p.Predictor != "last" || p.Classes != "user" {
				t.Errorf("predictor %s, classes %s", p.Predictor, p.Classes)
			}
			return nil
		},
		Scoring: Scoring{Watch: func(jobs iter.Seq2[workload.Job, error], _ int) iter.Seq2[workload.Job, error] {
			return func(yield func(workload.Job, error) bool) {
				for j, err := range jobs {
					watched++
					if !yield(j, err) {
						return
					}
				}
			}
		}},
	}))
	if want := []said{{2, 100, 1}, {3, 50, 1}}; !slices.Equal(got, want) {
		t.Errorf("predictions %v, want %v", got, want)
	}
	// Accuracies 50/100 and 50/200.
	if s := r.Score("last", "user"); s == nil || s.Jobs != 4 || s.Predicted != 2 || s.AccuracyMean != 0.375 || watched != 4 {
		t.Errorf("score %+v, %d jobs watched", s, watched)
	}
	if s := r.Scores[0]; r.Bootstrap != nil || !math.IsNaN(float64(s.AccuracyLow)) {
		t.Errorf("intervals that were not requested: %+v", s)
	}
}

// silent predicts nothing.
type silent struct{}

func (silent) Predict(*workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{}, false
}
func (silent) Observe(*workload.Job) {}

func TestRunTimesRefusesOptions(t *testing.T) {
	for _, c := range []struct {
		o    RunTimesOptions
		want string
	}{
		{RunTimesOptions{Against: "last2"}, `against: "last2", want a predictor and classes`},
		{RunTimesOptions{Against: "knn,user"}, `instead of "knn": es, rm, sm, last, last2`},
		{RunTimesOptions{Against: "last2,queue"}, `instead of "queue": site, user`},
		{RunTimesOptions{Own: []runtime.Entry{{Own: silent{}}}}, `own: "", want names of a predictor and of classes`},
		{RunTimesOptions{Own: []runtime.Entry{{Predictor: "a,b", Own: silent{}}}}, `own: "a,b", want names`},
		{RunTimesOptions{Own: []runtime.Entry{{Predictor: "last", Classes: runtime.Classes{Name: "user"}, Own: silent{}}}}, `own: "last,user", want each predictor once`},
		{RunTimesOptions{Own: []runtime.Entry{{Predictor: "a", Own: silent{}}, {Predictor: "a", Own: silent{}}}}, `own: "a", want each predictor once`},
		{RunTimesOptions{Own: []runtime.Entry{{Predictor: "mine"}}}, `predictors: "mine", want one of es, rm`},
		{RunTimesOptions{Predictors: []string{"oracle"}}, `predictors: "oracle", want one of es, rm`},
	} {
		_, err := RunTimes(context.Background(), open(t, fourJobs), c.o)
		if jobtest.OptionOf(err) == "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want an option's, %q", err, c.want)
		}
	}
}

// The classes of a custom predictor are only a label: it is scored on a log without their column,
// and there is no warning about the classes.
func TestRunTimesOwnClassesAreALabel(t *testing.T) {
	jobs := make([]workload.Job, 200)
	for i := range jobs {
		jobs[i] = madeJob(i, float64(20*i), 60, 1)
	}
	user := jobtest.Must(runtime.ClassesByName("user"))
	r := jobtest.Must(RunTimes(t.Context(), workload.LogOf("made", workload.Header{}, jobs), RunTimesOptions{Predictors: []string{"last"}, Classes: []string{"all"},
		Own: []runtime.Entry{{Predictor: "mine", Classes: user, Own: silent{}}}}))
	if r.Score("mine", "user") == nil || len(r.LeftOut) > 0 || len(r.Warnings) > 0 {
		t.Errorf("scores %+v, left out %v, warnings %v", r.Scores, r.LeftOut, r.Warnings)
	}
}

func TestRunTimesEnds(t *testing.T) {
	stop := errors.New("stop")
	_, err := RunTimes(context.Background(), open(t, fourJobs), RunTimesOptions{Predicted: func(RunTimePrediction) error { return stop }})
	if !errors.Is(err, stop) {
		t.Errorf("error %v, want that of Predicted", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := RunTimes(ctx, open(t, fourJobs), RunTimesOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's error", err)
	}
	none := strings.NewReplacer(" 0 100 ", " 0 -1 ", " 0 50 ", " 0 -1 ", " 0 200 ", " 0 -1 ", " 0 10 ", " 0 -1 ").Replace(fourJobs)
	if _, err := RunTimes(context.Background(), open(t, none), RunTimesOptions{}); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("error %v, want workload.ErrNoJobs", err)
	}
}

// A warning says that intervals over fewer than FewUsers users are too short; there is none for
// one user, or for FewUsers.
func TestRunTimesOfFewUsers(t *testing.T) {
	for users, few := range map[int]bool{1: false, 2: true, score.FewUsers - 1: true, score.FewUsers: false} {
		var jobs []workload.Job
		for i := range 2 * users {
			j := madeJob(i, float64(100*i), 50, 1)
			j.User, j.Wait = int64(i%users), 0
			jobs = append(jobs, j)
		}
		r := jobtest.Must(RunTimes(t.Context(), workload.LogOf("log", workload.Header{}, jobs), RunTimesOptions{
			Predictors: []string{"last"}, Classes: []string{"user"}, Scoring: Scoring{Replicates: 39},
		}))
		if got := slices.ContainsFunc(r.Warnings, func(w workload.Warning) bool { return w.Rule == "few-users" }); got != few {
			t.Errorf("%d users: a warning %t, want %t", users, got, few)
		}
	}
}
