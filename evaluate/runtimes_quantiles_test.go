package evaluate

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ofThree returns a log of 300 jobs of three users.
func ofThree() (text string) {
	for i := range 300 {
		text += fmt.Sprintf("%d %d 0 %d 1 -1 -1 1 500 -1 1 %d 1 1 1 1 -1 -1\n", i+1, 40*i, 1+(i*i*37)%400, 1+i%3)
	}
	return text
}

// TestRunTimesScoresQuantiles checks the scores of kernel's bound and prediction against the
// formulas of package stats, applied to a separate Kernel.
func TestRunTimesScoresQuantiles(t *testing.T) {
	for _, objective := range stats.Objectives() {
		name := fmt.Sprintf("kernel(for=%s,q=0.8)", objective)
		o := RunTimesOptions{Predictors: []string{"last", "quantile", name}, Classes: []string{"user"}}
		r := jobtest.Must(RunTimes(context.Background(), open(t, ofThree()), o))
		k := runtime.NewKernel(objective, 0.8)
		entries := []runtime.Entry{{Predictor: "asked", Own: k}}
		held, pinball, jobs, absolute, predicted := 0, 0.0, 0, 0.0, 0
		for row, err := range runtime.Replay(workload.InOrder(open(t, ofThree()).Jobs(), nil), nil, entries...) {
			if err != nil {
				t.Fatal(err)
			}
			if p := row.Predictions[0].Seconds; !math.IsNaN(p) {
				predicted++
				absolute += math.Abs(p - row.Job.Run)
			}
			if bound := k.Bound(); !math.IsNaN(bound) {
				jobs++
				pinball += stats.QuantileLoss(0.8, bound, row.Job.Run)
				if row.Job.Run <= bound {
					held++
				}
			}
		}
		near := func(got stats.Number, want float64) bool {
			return math.Abs(float64(got)-want) <= 1e-12*math.Abs(want)
		}
		s := r.Score(name, "all")
		if b := s.Bound; b == nil || b.Quantile != 0.8 || !near(b.Coverage, float64(held)/float64(jobs)) || !near(b.QuantileLoss, pinball/float64(jobs)) {
			t.Errorf("%s: %+v, want %d of %d covered and a loss of %g s", objective, b, held, jobs, pinball/float64(jobs))
		}
		if !near(s.AbsoluteErrorMean, absolute/float64(predicted)) {
			t.Errorf("%s: an absolute error of %g s, want %g s", objective, s.AbsoluteErrorMean, absolute/float64(predicted))
		}
		if r.Score("quantile", "user").Bound == nil || r.Score("last", "user").Bound != nil {
			t.Errorf("%s: quantile has no bound, or last has one", objective)
		}
	}
}

// TestRunTimesOfKernel checks that rows that share a Kernel have the same scores as a row alone.
func TestRunTimesOfKernel(t *testing.T) {
	scores := func(predictors ...string) *RunTimesResult {
		return jobtest.Must(RunTimes(context.Background(), open(t, ofThree()), RunTimesOptions{Predictors: predictors, Classes: []string{"user"}}))
	}
	shared, alone := scores("kernel").Score(runtime.KernelAbsolute, "all"), scores(runtime.KernelAbsolute).Score(runtime.KernelAbsolute, "all")
	if shared == nil || shared.RunTime != alone.RunTime || *shared.Bound != *alone.Bound {
		t.Errorf("%+v, alone %+v", shared, alone)
	}
}
