package runtimes_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/loadstone-examples/runtimes"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// open opens a log of two users, whose jobs take turns, one an hour. The first user's run
// for 100 s, but every third of them for 400 s, and the other's for 1000 s.
func open() *workload.Log {
	var text strings.Builder
	for i := range 24 {
		run := 1000
		if i%2 == 0 {
			run = []int{100, 100, 400}[i/2%3]
		}
		fmt.Fprintf(&text, "%d %d 0 %d 1 -1 -1 1 -1 -1 1 %d -1 -1 -1 -1 -1 -1\n", i+1, 3600*i, run, 1+i%2)
	}
	l, err := logfile.OpenReader("log.swf", strings.NewReader(text.String()), workload.Options{})
	if err != nil {
		panic(err)
	}
	return l
}

// The rule is found by its name, in a list to which it has been added, and with another
// value of its parameter. It learns by user, as the other rules do, and falls back on all jobs.
func ExampleMedian() {
	rules := append(runtime.Rules(), runtimes.Median{Of: 1})
	r, err := evaluate.RunTimes(context.Background(), open(), evaluate.RunTimesOptions{
		Predictors: []string{"last", "median", "median(of=3)"}, Classes: []string{"all", "user"},
		Fallback: true, Rules: rules,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range r.Scores {
		if s.Classes == "all" {
			continue
		}
		fmt.Printf("%s: accuracy %.4f of %d of %d jobs\n", s.Label(), s.AccuracyMean, s.Predicted, s.Jobs)
	}
	// The second user's 11 predictions are right. Of the first user's 11, the last run time
	// has 4 of 100 s right, 4 that say 100 s for 400 s, and 3 that say 400 s for 100 s:
	// (11 + 4 + 7/4) / 22. The median is 100 s each time, 7 times right:
	// (11 + 7 + 4/4) / 22. The fallback adds the other user's first job, for which it says
	// 100 s in place of 1000 s.

	// Output:
	// last,user: accuracy 0.7614 of 22 of 24 jobs
	// median,user: accuracy 0.7614 of 22 of 24 jobs
	// median(of=3),user: accuracy 0.8636 of 22 of 24 jobs
	// last,fallback: accuracy 0.7326 of 23 of 24 jobs
	// median,fallback: accuracy 0.7326 of 23 of 24 jobs
	// median(of=3),fallback: accuracy 0.8304 of 23 of 24 jobs
}

// What is wrong with a list, a parameter or a prediction is an error with the name.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		rule runtime.Rule
		want string
	}{
		{runtimes.Median{}, `predictors: "median", want the number of run times, such as median(of=3)`},
		{never{}, "job runtime: never predicts NaN s for job 1, want a finite number of 0 or more, or no prediction"},
	} {
		_, err := evaluate.RunTimes(context.Background(), open(), evaluate.RunTimesOptions{
			Predictors: []string{c.rule.Name()}, Rules: append(runtime.Rules(), c.rule),
		})
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// never predicts no number.
type never struct{}

func (never) Name() string           { return "never" }
func (never) New() runtime.Predictor { return never{} }
func (never) Observe(*workload.Job)  {}
func (never) Predict(*workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: math.NaN()}, true
}
