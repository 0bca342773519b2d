package evaluate

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// asked is a Kernel that keeps the quantile of each job at its submission.
type asked struct {
	*runtime.Kernel
	quantile float64
	bounds   []float64
}

func (a *asked) Predict(r *workload.Request) (workload.Prediction, bool) {
	bound := math.NaN()
	if d, ok := a.Distribution(r); ok {
		bound = d.Quantile(a.quantile)
	}
	a.bounds = append(a.bounds, bound)
	return a.Kernel.Predict(r)
}

// TestRunTimesScoresQuantiles: the quantile of kernel's distribution is scored as a
// bound, and every predictor by kernel's objective, with the formulas of package stats
// on what a Kernel says that is asked apart.
func TestRunTimesScoresQuantiles(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "%d %d 0 %d 1 -1 -1 1 500 -1 1 %d 1 1 1 1 -1 -1\n", i+1, 40*i, 1+(i*i*37)%400, 1+i%3)
	}
	for _, objective := range stats.Objectives() {
		name := fmt.Sprintf("kernel(optimise=%s,q=0.8)", objective)
		o := RunTimesOptions{Predictors: []string{"last", "quantile", name}, Classes: []string{"user"}}
		r, err := RunTimes(context.Background(), open(t, text.String()), o)
		if err != nil {
			t.Fatal(err)
		}
		a := &asked{Kernel: runtime.NewKernel(objective), quantile: 0.8}
		entries := []runtime.Entry{{Predictor: "asked", Own: a}}
		held, pinball, jobs := 0, 0.0, 0
		for row, err := range runtime.Replay(workload.InOrder(open(t, text.String()).Jobs(), nil), nil, entries...) {
			if err != nil {
				t.Fatal(err)
			}
			if bound := a.bounds[len(a.bounds)-1]; !math.IsNaN(bound) {
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
		if r.Score("quantile", "user").Bound == nil || r.Score("last", "user").Bound != nil {
			t.Errorf("%s: quantile has no bound, or last has one", objective)
		}
	}
}
