package lifetimes

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestDriftBetweenPeriods has a law of lifetimes that changes from day 1 to day 3; day 2 has
// three jobs, so it is reported but not fitted, and day 3 is scored by the law of day 1.
func TestDriftBetweenPeriods(t *testing.T) {
	early, late := dist.UniformLog{TMin: 10, TMax: 1000}, dist.UniformLog{TMin: 10, TMax: 100000}
	clock, _ := new(workload.Header).Clock()
	over := workload.Days(clock, 1)
	const n = 400
	classes, warnings := collectClasses(t, fittest.Jobs(2*n+4, func(i int, j *workload.Job) {
		at := (float64(i%n) + 0.5) / n
		switch {
		case i < n:
			j.Submit, j.Run = 0, early.Quantile(at)
		case i < 2*n:
			j.Submit, j.Run = 2*86400, late.Quantile(at)
		case i < 2*n+3:
			j.Submit, j.Run = 1.5*86400, float64(i)
		}
	}), Options{Over: &over})
	if len(warnings) != 1 || !strings.Contains(warnings[0], "1 jobs left out") {
		t.Errorf("warnings %q, want one about the job without a submission time", warnings)
	}
	drifts, err := Drift(classes, fit.Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(drifts) != 1 || len(drifts[0].Steps) != 3 {
		t.Fatalf("%+v", drifts)
	}
	first, few, last := drifts[0].Steps[0], drifts[0].Steps[1], drifts[0].Steps[2]
	fittest.Relative(t, "median of part 1", float64(first.Median), 100, 1e-6)
	fittest.Relative(t, "median of part 3", float64(last.Median), 1000, 1e-6)
	if few.Fit.Report != nil || !strings.Contains(few.Why, "3 jobs") || !math.IsNaN(float64(few.PreviousD)) || !math.IsNaN(float64(few.Median)) {
		t.Errorf("part 2: %+v", few)
	}
	fittest.Near(t, "own D", float64(last.D), 0.5/n, 1e-9)
	fittest.Near(t, "own R²", float64(last.RSquared), 1, 1e-9)
	if !math.IsNaN(float64(first.PreviousD)) {
		t.Errorf("part 1 is scored by an earlier law: %+v", first)
	}
	// At t the old distribution function is ln(t/10)/ln 100, and the new one ln(t/10)/ln 10000,
	// half as much. So D is 1/2, reached at 1000 s, which half of the jobs outlast.
	fittest.Near(t, "previous D", float64(last.PreviousD), 0.5, 1e-2)
	fittest.Relative(t, "ratio of medians", float64(last.MedianRatio), 0.1, 1e-2)
}

func TestFitLifetimesRefuses(t *testing.T) {
	for _, classes := range [][]Class{nil, {classOfRuns("a", 1, 2, 3)}} {
		if _, err := Fit(classes, "weibul", fit.Options{}, 1); err == nil || !strings.Contains(err.Error(), "weibul") {
			t.Errorf("error is %v, want one about the family", err)
		}
	}
	if _, err := Fit(nil, "uniform-log", fit.Options{}, -1); err == nil {
		t.Error("a minimum of -1 jobs is accepted")
	}
	fits, err := Fit([]Class{classOfRuns("equal", 5, 5, 5), classOfRuns("good", 1, 2, 3, 4)}, "uniform-log", fit.Options{}, 3)
	if err != nil || fits[0].Report != nil || fits[0].Why == "" || fits[1].Report == nil || fits[1].Report.By != "good" {
		t.Errorf("%+v, %v; want equal run times reported and the others fitted", fits, err)
	}
}

func TestComputeOptionsNameTheirFault(t *testing.T) {
	for _, c := range []struct {
		o      ComputeOptions
		option string // "" if they are valid
	}{
		{ComputeOptions{Months: 5}, "months"}, {ComputeOptions{LeastJobs: 1}, "least-jobs"}, {ComputeOptions{LeastJobs: 2, Months: 1}, ""},
	} {
		err := c.o.Validate()
		var fault *workload.OptionError
		if c.option == "" && err != nil || c.option != "" && (!errors.As(err, &fault) || fault.Option != c.option) {
			t.Errorf("%+v: %v, want an error about %q", c.o, err, c.option)
		}
	}
}
