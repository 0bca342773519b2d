package evaluate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// waiting400 returns 400 jobs of two users on 10 processors: a pair of jobs every five minutes,
// twenty jobs a day. Each waits 60 s.
func waiting400() string {
	var b strings.Builder
	b.WriteString("; MaxProcs: 10\n; UnixStartTime: 820454400\n; TimeZoneString: UTC\n")
	for i := range 400 {
		run := 100 + 37*(i%11)
		fmt.Fprintf(&b, "%d %d 60 %d %d -1 -1 %d %d -1 1 %d 1 %d %d %d -1 -1\n",
			i+1, 300*(i/2)+86400*(i/20), run, 1+i%8, 1+i%8, 2*run, 1+i%2, i%3, i%2, 1+i%2)
	}
	return b.String()
}

// everything returns options with all predictors and tables.
func everything() WaitsOptions {
	return WaitsOptions{Predictors: AllWaitPredictors(), Scoring: Scoring{By: WaitsParts(), Replicates: 99}, Pictures: true, Unbias: true, Sample: 60}
}

// equal compares results: NaN equals NaN.
var equal = cmp.Options{
	cmpopts.IgnoreUnexported(ArrivalScore{}),
	cmp.Comparer(func(a, b stats.Number) bool { return a == b || a != a && b != b }),
	cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b }),
}

// A log held in memory is read once, with the same results as one that is read repeatedly.
func TestWaitsHeldOrReread(t *testing.T) {
	o := everything()
	opened := 0
	o.Reopen = func() (*workload.Log, error) { opened++; return open(t, waiting400()), nil }
	held, err := Waits(context.Background(), open(t, waiting400()), o)
	if err != nil || opened != 0 {
		t.Fatalf("%v, opened %d times", err, opened)
	}
	r := &waits{o: o.filled(), log: open(t, waiting400())}
	r.o.Predicted = func(WaitPrediction) error { return nil } // prevents concurrency, because opened is counted
	jobtest.NoError(t, r.survey(context.Background()))
	r.holds, r.held = false, nil
	jobtest.NoError(t, r.drawSample(context.Background()))
	again := jobtest.Must(r.score(context.Background()))
	if d := cmp.Diff(held, again, equal); d != "" || opened < 5 {
		t.Errorf("opened %d times; held, reread:\n%s", opened, d)
	}
	for _, readable := range []bool{true, false} {
		if r.holds, r.held, r.jobs = true, nil, mostHeld; !readable {
			r.reopen = nil
		}
		r.hold(&workload.Job{})
		if r.holds == readable || (r.held == nil) != readable {
			t.Errorf("%d jobs of a log that can be read again (%t) are held: %t", r.jobs, readable, r.holds)
		}
	}
}

// Predictions are passed on one at a time, those of a pipeline in the order in which jobs start.
func TestWaitsHandsOutPredictions(t *testing.T) {
	passes, jobs, last := 0, 0, int64(0)
	counts := map[string]int{}
	r := jobtest.Must(Waits(context.Background(), open(t, waiting400()), WaitsOptions{
		Predictors: []string{"simulated", "estimates", "bmbp"},
		Predicted: func(p WaitPrediction) error {
			counts[p.Waits+" "+p.Predictor]++
			if p.Predictor != "bmbp" {
				return nil
			}
			// The bound is to cover 95 % of the waits in a group of sizes; all waits are 60 s.
			if p.Request.ID <= last || p.Seconds != 60 || p.Actual != 60 || p.Quantile != 0.95 || !(p.Achieved >= 0.95) {
				t.Errorf("job %d after %d: %+v", p.Request.ID, last, p)
			}
			last = p.Request.ID
			return nil
		},
		Scoring: Scoring{Watch: func(in iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
			passes++
			if n != 0 && n != 400 {
				t.Errorf("a pass of %d jobs", n)
			}
			return func(yield func(workload.Job, error) bool) {
				for j, err := range in {
					if jobs++; !yield(j, err) {
						return
					}
				}
			}
		}},
	}))
	for _, s := range r.Scores {
		if n := counts[s.Waits+" "+s.Predictor]; n != s.Predicted || n == 0 {
			t.Errorf("%s: %d predictions, %d scored", s.Predictor, n, s.Predicted)
		}
	}
	// One pass each for the survey, a queue and the bounds.
	if passes != 3 || jobs != 3*400 {
		t.Errorf("%d jobs in %d passes", jobs, passes)
	}
	if s := r.Score("bmbp"); s == nil || !s.Bound || s.Coverage != 1 || s.Jobs != 360 || r.Bootstrap != nil || r.Score("qbets") != nil {
		t.Errorf("%+v", s)
	}
}

// bounding bounds every wait, or that of one job, by a number of seconds; it gives no bound where
// the number is 0.
type bounding struct {
	name    string
	seconds float64
	job     int64
}

func (p bounding) Name() string                      { return p.name }
func (bounding) Observe(workload.Job, predict.Bound) {}
func (p bounding) Predict(r workload.Request) (predict.Bound, bool) {
	b := predict.NoBound()
	b.Seconds = p.seconds
	return b, p.seconds > 0 && (p.job == 0 || p.job == r.ID)
}

// with returns the package's methods and a method for each of the given predictors.
func with(own ...predict.BoundPredictor) []predict.BoundMethod {
	all := predict.BoundMethods()
	for _, p := range own {
		all = append(all, predict.BoundMethod{Name: p.Name(), New: func(_, _ float64, _ predict.BoundOptions) (predict.BoundPredictor, error) { return p, nil }})
	}
	return all
}

// Custom methods are scored together with the others. Values that a predictor returns with false
// are not scored.
func TestWaitsOfOnesOwn(t *testing.T) {
	r := jobtest.Must(Waits(context.Background(), open(t, waiting400()), WaitsOptions{Predictors: []string{"bmbp", "long", "mute", "once"}, Bounds: with(bounding{"long", 100, 0}, bounding{"mute", 0, 0}, bounding{"once", 100, 400}), Pictures: true}))
	// For a wait of 60 s and a bound of 100 s, the accuracy is 0.6, the tightness 5/3, the error
	// 40 s.
	near := func(x stats.Number, want float64) bool { return math.Abs(float64(x)-want) < 1e-12 }
	s := r.Score("long")
	if s.Coverage != 1 || !near(s.AccuracyMean, 0.6) || s.OverPct != 100 || s.Jobs != 360 || !near(s.TightnessMedian, 100./60) || !near(s.AbsoluteErrorMean, 40./60) || s.Scatter.Jobs != 360 {
		t.Errorf("%+v", s)
	}
	if s, last := r.Score("mute"), r.Warnings[len(r.Warnings)-1]; s.Jobs != 360 || s.Predicted != 0 || last.Text != "mute predicted nothing" {
		t.Errorf("%+v, %+v", s, last)
	}
}

func TestWaitsRefusesOptions(t *testing.T) {
	for _, c := range []struct {
		o    WaitsOptions
		want string
	}{
		{WaitsOptions{Bounds: []predict.BoundMethod{{Name: "long"}}}, `bounds: "long", number 1, want methods with New, each with a different name`},
		{WaitsOptions{Bounds: with(bounding{"", 100, 0})}, `bounds: "", number 7, want`},
		{WaitsOptions{Bounds: with(bounding{"long", 100, 0}, bounding{"long", 100, 0})}, `bounds: "long", number 8, want`},
		{WaitsOptions{Bounds: with(bounding{"downey-a", 100, 0})}, `bounds: "downey-a", number 7, want`},
		{WaitsOptions{Classes: []string{"queue_id", "size", "user_id", "group_id", "partition_id"}}, "classes: 5 columns, want at most 4"},
		{WaitsOptions{Groups: []string{"colour"}}, `groups: "colour", want one or more of all, user, group`},
	} {
		_, err := Waits(context.Background(), open(t, waiting400()), c.o)
		if jobtest.OptionOf(err) == "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want an option's, %q", err, c.want)
		}
		if strings.Count(err.Error(), " bmbp,") > 1 {
			t.Errorf("%v: a choice is listed twice", err)
		}
	}
}

func TestWaitsWithoutWaits(t *testing.T) {
	none := strings.ReplaceAll(waiting400(), " 60 ", " -1 ")
	if _, err := Waits(context.Background(), open(t, none), WaitsOptions{Predictors: []string{"bmbp"}}); !errors.Is(err, predict.ErrNoWaits) {
		t.Errorf("error %v, want predict.ErrNoWaits", err)
	}
	r := jobtest.Must(Waits(context.Background(), open(t, none), WaitsOptions{Predictors: []string{"estimates", "bmbp"}}))
	rule := func(w workload.Warning) bool {
		return w.Rule == "no-waits" && w.Text == "no job has a known wait: bmbp left out"
	}
	if len(r.Scores) != 1 || !slices.ContainsFunc(r.Warnings, rule) || !slices.Equal(r.LeftOut, []PredictorLeftOut{{"bmbp", "no job has a known wait"}}) {
		t.Errorf("%v, %v, %+v", r.Warnings, r.LeftOut, r.Scores)
	}
	if _, err := Waits(context.Background(), open(t, strings.Replace(none, "; MaxProcs: 10\n", "", 1)), WaitsOptions{Predictors: []string{"simulated"}}); !errors.Is(err, workload.ErrNoMachine) {
		t.Errorf("error %v, want workload.ErrNoMachine", err)
	}
}

// Canceling the context ends the pipelines, whichever are running; a pipeline that cannot read
// the log ends those after it.
func TestWaitsEnds(t *testing.T) {
	stop := errors.New("stop")
	o := WaitsOptions{Predictors: []string{"simulated", "bmbp"}, Predicted: func(WaitPrediction) error { return stop }}
	if _, err := Waits(context.Background(), open(t, waiting400()), o); !errors.Is(err, stop) {
		t.Errorf("error %v, want that of Predicted", err)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	o.Predicted, o.Reopen = nil, func() (*workload.Log, error) { return nil, stop }
	r := &waits{o: o.filled(), log: open(t, waiting400())}
	jobtest.NoError(t, r.survey(ctx))
	interrupt()
	if got, err := r.score(ctx); !errors.Is(err, context.Canceled) || len(r.tallies) > 0 {
		t.Errorf("%v, %v, %d scores", got, err, len(r.tallies))
	}
	r.holds = false
	if _, err := r.score(context.Background()); !errors.Is(err, stop) {
		t.Errorf("%v, want that of Reopen", err)
	}
}
