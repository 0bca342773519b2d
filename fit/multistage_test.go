package fit

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

const multiStage = "multi-stage-uniform-log"

// stagesAt returns the law whose distribution function is linear in ln t between the points
// (t[i], f[i]).
func stagesAt(t testing.TB, at, f []float64) dist.MultiStageUniformLog {
	t.Helper()
	var parts []dist.WeightedUniformLog
	for i := 1; i < len(at); i++ {
		parts = append(parts, dist.WeightedUniformLog{Weight: f[i] - f[i-1], Law: dist.UniformLog{TMin: at[i-1], TMax: at[i]}})
	}
	m := jobtest.Must(dist.NewMultiStageUniformLog(parts...))
	return m
}

func stagesOf(t testing.TB, r Report) []dist.WeightedUniformLog {
	t.Helper()
	m, ok := r.Law.(dist.MultiStageUniformLog)
	if !ok {
		t.Fatalf("the distribution is a %T", r.Law)
	}
	return m.Parts()
}

// TestExactStages checks that for a sample whose positions lie on a broken line, with jobs at its
// breaks, the fit is that line. Forty jobs have the positions (i-0.5)/40.
func TestExactStages(t *testing.T) {
	at, f := []float64{2, 30, 4000, 50000}, []float64{0, 9.5 / 40, 27.5 / 40, 1}
	law := stagesAt(t, at, f)
	var values []float64
	for i := range 40 {
		values = append(values, law.Quantile((float64(i)+0.5)/40))
	}
	for _, trim := range []float64{-1, 0, 0.2} {
		r := mustFit(t, multiStage, RunTime, NewSample(RunTime, values), Options{Stages: 3, Trim: trim, Resolution: -1})
		near(t, "R²", parameter(t, r, "r_squared"), 1, 1e-12)
		for i, s := range stagesOf(t, r) {
			relative(t, "weight", s.Weight, f[i+1]-f[i], 1e-9)
			relative(t, "lower end", s.Law.TMin, at[i], 1e-9)
			relative(t, "upper end", s.Law.TMax, at[i+1], 1e-9)
		}
		near(t, "stages", parameter(t, r, "stages"), 3, 0)
		relative(t, "t_max_2_s", parameter(t, r, "t_max_2_s"), 4000, 1e-9)
	}
	// For given breaks, the likelihood is greatest at the shares of the jobs: the tenth lies on
	// the first break, the 28th on the second.
	ends, likelihood := []float64{values[0], 30, 4000, values[39]}, 0.0
	for i, jobs := range []float64{10, 18, 12} {
		likelihood += jobs * math.Log(jobs/40/math.Log(ends[i+1]/ends[i]))
	}
	for _, v := range values {
		likelihood -= math.Log(v)
	}
	r := mustFit(t, multiStage, RunTime, NewSample(RunTime, values), Options{Resolution: -1})
	if bic := fmt.Sprintf(" 3: %.1f", 6*math.Log(40)-2*likelihood); !strings.Contains(strings.Join(r.Warnings, "\n"), bic) {
		t.Errorf("%q, want%s", r.Warnings, bic)
	}
}

// TestNumberOfStages checks that the chosen number of stages has the least of the BICs listed in
// the warning, and that the fit equals the one for that number given explicitly, on any number of
// cores.
func TestNumberOfStages(t *testing.T) {
	s := NewSample(RunTime, wholeSeconds(2000))
	chosen := mustFit(t, multiStage, RunTime, s, Options{Workers: 3})
	_, list, ok := strings.Cut(chosen.Warnings[0], "within the breaks: ")
	if !ok {
		t.Fatalf("warnings are %q", chosen.Warnings)
	}
	best, least := 0, math.Inf(1)
	for i, text := range strings.Split(list, ", ") {
		var k int
		var bic float64
		if _, err := fmt.Sscanf(text, "%d: %f", &k, &bic); err != nil || k != i+1 {
			t.Fatalf("%q: %v", text, err)
		}
		if bic < least {
			best, least = k, bic
		}
	}
	if want := mustFit(t, multiStage, RunTime, s, Options{Stages: best, Workers: 1}); want.Law != chosen.Law {
		t.Errorf("the distribution is %+v, with the %d stages of the least BIC %+v", chosen.Law, best, want.Law)
	}
}

func TestStagesOfFewJobs(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		stages int
		fails  bool
	}{
		{[]float64{60}, 0, true},
		{[]float64{60, 60, 60}, 0, true},
		{[]float64{60, 3600}, 0, false},
		{[]float64{60, 3600}, 2, true},
		{[]float64{60, 600, 3600}, 2, true}, // three jobs for four parameters
		{[]float64{60, 600, 3600, 3600}, 2, false},
		{[]float64{60, 600, 600, 600, 3600, 7200, 86400}, 8, true},
		{[]float64{1e9, 1e9 + 1e-6, 1e9, 1e9}, 0, true},
	} {
		s := NewSample(RunTime, tt.values)
		r, err := Fit(multiStage, RunTime, s, Options{Stages: tt.stages, Trim: -1})
		var degenerate *DegenerateError
		if tt.fails != (err != nil) || err != nil && !errors.As(err, &degenerate) {
			t.Errorf("%d stages of %v: %v, error %v", tt.stages, tt.values, r.Parameters, err)
		}
	}
	for _, o := range []Options{{Stages: -1}, {Stages: dist.MaxStages + 1}} {
		if _, err := Fit(multiStage, RunTime, NewSample(RunTime, wholeSeconds(100)), o); err == nil {
			t.Errorf("options %+v are accepted", o)
		}
	}
	// For sizes, which are not times, the names have no unit.
	r := mustFit(t, multiStage, Size, NewSample(Size, []float64{1, 2, 4, 8, 16, 16, 16, 100}), Options{Stages: 2, Trim: -1})
	parameter(t, r, "min_1")
	parameter(t, r, "max_2")
}
