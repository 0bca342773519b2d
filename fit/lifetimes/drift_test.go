package lifetimes

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/internal/fitted"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestDriftBetweenParts: the law of lifetimes changes from part 1 to part 3
// and part 2 has three jobs: it is reported, not fitted, and part 3 is scored
// by the law of part 1.
func TestDriftBetweenParts(t *testing.T) {
	early, late := dist.UniformLog{TMin: 10, TMax: 1000}, dist.UniformLog{TMin: 10, TMax: 100000}
	over, err := workload.Parts(0, 3000, 3)
	if err != nil {
		t.Fatal(err)
	}
	const n = 400
	classes, warnings := collectClasses(t, fittest.Jobs(2*n+4, func(i int, j *workload.Job) {
		at := (float64(i%n) + 0.5) / n
		switch {
		case i < n:
			j.Submit, j.Run = 0, early.Quantile(at)
		case i < 2*n:
			j.Submit, j.Run = 3000, late.Quantile(at)
		case i < 2*n+3:
			j.Submit, j.Run = 1500, float64(i)
		}
	}), Options{Over: &over})
	if len(warnings) != 1 || !strings.Contains(warnings[0], "1 jobs left out") {
		t.Errorf("warnings %q, want one of the job without submission", warnings)
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
	if few.Fit.Report != nil || !strings.Contains(few.Fit.Why, "3 jobs") || few.Previous != nil || !math.IsNaN(float64(few.Median)) {
		t.Errorf("part 2: %+v", few)
	}
	fittest.Near(t, "own D", last.Own.D, 0.5/n, 1e-9)
	fittest.Near(t, "own R²", last.Own.RSquared, 1, 1e-9)
	fittest.Near(t, "own share outside", last.Own.Outside, 0, 0)
	if first.Previous != nil || last.Previous == nil || last.From != "part 1 of 3" {
		t.Fatalf("part 1 by %v, part 3 by %v of %q", first.Previous, last.Previous, last.From)
	}
	// At t the old line says ln(t/10)/ln 100, the new ln(t/10)/ln 10000: half
	// of it. So D is 1/2, reached at 1000 s, which half of the jobs outlast;
	// about the old line a job at position y is y off, and of y between 0.1
	// and 0.9, R² is 1 - E[y²]/Var[y] = 1 - (1/4 + 0.8²/12)/(0.8²/12).
	fittest.Near(t, "previous D", last.Previous.D, 0.5, 1e-2)
	fittest.Near(t, "previous share outside", last.Previous.Outside, 0.5, 0)
	fittest.Near(t, "previous R²", last.Previous.RSquared, 1-(0.25+0.64/12)/(0.64/12), 2e-2)
	fittest.Relative(t, "ratio of medians", last.Previous.MedianRatio, 0.1, 1e-2)
}

func TestTransferOfItsOwnLaw(t *testing.T) {
	// The fitted law's line has the R² that the fit reports, ties and all.
	s := fitted.CollectLog(t, fittest.KTH).Sample(fit.RunTime)
	r := fitted.MustFit(t, "uniform-log", fit.RunTime, s, fit.Options{})
	own, err := Transfer(r.Law.(dist.UniformLog), s, fit.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fittest.Relative(t, "R²", own.RSquared, fittest.Parameter(t, r.Parameters, "r_squared"), 1e-12)
	fittest.Relative(t, "D", own.D, r.KS.D, 0)
}

func TestTransferRefuses(t *testing.T) {
	good := dist.UniformLog{TMin: 1, TMax: 2}
	if _, err := Transfer(good, fit.Sample{Values: []float64{5}, Counts: []float64{9}}, fit.Options{}); !degenerate(err) {
		t.Errorf("equal run times: %v, want a *DegenerateError", err)
	}
	if _, err := Transfer(dist.UniformLog{}, fit.NewSample(fit.RunTime, []float64{1, 2, 3}), fit.Options{}); err == nil {
		t.Error("a distribution without sense is taken")
	}
	if _, err := Transfer(good, fit.NewSample(fit.RunTime, []float64{1, 2, 3}), fit.Options{Trim: math.NaN()}); err == nil {
		t.Error("a trim of NaN is taken")
	}
	if _, err := Transfer(good, fit.Sample{Values: []float64{5}}, fit.Options{}); err == nil {
		t.Error("a sample without counts is taken")
	}
}

func TestFitLifetimesRefuses(t *testing.T) {
	for _, classes := range [][]Class{nil, {classOfRuns("a", 1, 2, 3)}} {
		if _, err := Fit(classes, "weibul", fit.Options{}, 1); err == nil || !strings.Contains(err.Error(), "weibul") {
			t.Errorf("error is %v, want one of the family", err)
		}
	}
	if _, err := Fit(nil, "uniform-log", fit.Options{}, -1); err == nil {
		t.Error("-1 jobs at least are taken")
	}
	fits, err := Fit([]Class{classOfRuns("equal", 5, 5, 5), classOfRuns("good", 1, 2, 3, 4)}, "uniform-log", fit.Options{}, 3)
	if err != nil || fits[0].Report != nil || fits[0].Why == "" || fits[1].Report == nil || fits[1].Report.By != "good" {
		t.Errorf("%+v, %v; want equal run times reported and the others fitted", fits, err)
	}
}

// TestLineRSquared: of four jobs the plotting positions are 1/8, 3/8, 5/8 and 7/8, and
// squares about their mean are 5/16. A line that is 1/8 off each leaves 4/64, and R²
// is 0.8: of four values, and of two that two jobs have each.
func TestLineRSquared(t *testing.T) {
	e := math.Exp
	for _, c := range []struct {
		s   fit.Sample
		law dist.UniformLog
	}{
		{fit.Sample{Values: []float64{1, e(1), e(2), e(3)}, Counts: []float64{1, 1, 1, 1}}, dist.UniformLog{TMin: 1, TMax: e(4)}},            // 0 1/4 1/2 3/4
		{fit.Sample{Values: []float64{1, e(1)}, Counts: []float64{2, 2}}, dist.UniformLog{TMin: e(-0.5), TMax: e(1.5)}},                      // 1/4 3/4
		{fit.Sample{Values: []float64{e(-9), 1, e(1), e(9)}, Counts: []float64{1, 2, 2, 1}}, dist.UniformLog{TMin: e(-0.75), TMax: e(2.25)}}, // 1/4 7/12
	} {
		trim, want := 0.0, 0.8
		if len(c.s.Counts) == 4 && c.s.Counts[1] == 2 {
			// The shortest and the longest of six are left out. Positions 3/12 5/12 7/12
			// 9/12 have squares 20/144; 0, 2/12, 0 and 2/12 off, 8/144.
			trim, want = 1.0/6, 1-8.0/20
		}
		fittest.Near(t, "R²", lineRSquared(c.s, trim, c.law), want, 1e-12)
	}
}

func TestComputeOptionsNameTheirFault(t *testing.T) {
	for _, c := range []struct {
		o      ComputeOptions
		option string // "" where they can be used
	}{
		{ComputeOptions{Months: 1, Periods: 1}, "periods"}, {ComputeOptions{Months: 5}, "months"}, {ComputeOptions{Months: 24}, "months"},
		{ComputeOptions{Months: -1}, "months"}, {ComputeOptions{Periods: -1}, "periods"}, {ComputeOptions{Periods: 1001}, "periods"},
		{ComputeOptions{LeastJobs: 1}, "least-jobs"}, {ComputeOptions{LeastJobs: 2, Months: 1}, ""}, {ComputeOptions{Months: 12}, ""},
		{ComputeOptions{Periods: 1}, ""}, {ComputeOptions{Periods: 1000}, ""},
	} {
		err := c.o.Validate()
		var fault *workload.OptionError
		if c.option == "" && err != nil || c.option != "" && (!errors.As(err, &fault) || fault.Option != c.option) {
			t.Errorf("%+v: %v, want a fault of %q", c.o, err, c.option)
		}
	}
}
