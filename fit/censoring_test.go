package fit

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestCensoredJobsAreCounted checks that jobs that did not complete and ran for their limit or
// longer are counted, however they are collected.
func TestCensoredJobsAreCounted(t *testing.T) {
	job := func(run, limit float64, size, status int64) workload.Job {
		j := workload.UnknownJob()
		j.Submit, j.Run, j.Time, j.Size, j.Status = 0, run, limit, size, status
		return j
	}
	jobs := []workload.Job{
		job(60, 60, 2, workload.StatusCancelled),
		job(61, 60, 2, workload.StatusFailed),
		job(60, 60, 2, workload.StatusCompleted), // completed at its limit
		job(60, 90, 2, workload.StatusFailed),    // failed for another reason
		job(60, -1, 2, workload.StatusFailed),    // no limit known
		job(30, 30, 4, workload.StatusLastFailed),
		job(30, 30, 4, workload.Unknown),
		job(0, 0, 1, workload.StatusCancelled),
	}
	all := NewCollector(workload.Clock{})
	for i := range jobs {
		all.Add(&jobs[i])
	}
	s := all.Sample(RunTime)
	want := Sample{
		Values: []float64{30, 60, 61}, Counts: []float64{2, 4, 1}, Censored: []float64{1, 1, 1},
		LeftOut: []LeftOut{{"run time not positive", 1}},
	}
	if d := cmp.Diff(want, s); d != "" {
		t.Errorf("run times (-want +got):\n%s", d)
	}
	if got := all.Sample(Work).Censored; !cmp.Equal(got, []float64{2, 1}) { // 120 and 122 processor seconds
		t.Errorf("work: %v, want 2 and 1", got)
	}
	for want, s := range map[string]Sample{"3 jobs were killed": s, "no job is known": NewSample(RunTime, []float64{5, 9, 40})} {
		r := mustFit(t, "exponential", RunTime, s, Options{Censored: true})
		if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, want) {
			t.Errorf("warnings are %q, want %q in them", w, want)
		}
	}
	if all.Sample(Size).Censored != nil || all.Sample(Interarrival).Censored != nil {
		t.Error("sizes or interarrival times are censored")
	}
}

// TestKaplanMeier computes the curve by hand: of 8 jobs, two end at 2, one ends and one is killed
// at 3, one is killed at 5, two end at 6, one is killed at 9. The curve falls by the factors 6/8
// at 2, 5/6 at 3 and 1/3 at 6: 0.75, 0.625, 0.20833.
func TestKaplanMeier(t *testing.T) {
	s := Sample{Values: []float64{2, 3, 5, 6, 9}, Counts: []float64{2, 2, 1, 2, 1}, Censored: []float64{0, 1, 1, 0, 1}}
	tk := task{x: s.Values, sample: s, transform: None, options: Options{Censored: true}}
	// D by hand from a uniform law on [0, 10]: at 2, 0.2 against 0 or 0.25; at 3, 0.3 against
	// 0.25 or 0.375; at 6, 0.6 against 0.375 or 0.79167.
	near(t, "D", tk.censoredDistance(dist.Uniform{Low: 0, High: 10}), 0.6-0.375, 1e-15)
	// On [0, 4]: at 6, 1 against 0.375.
	near(t, "D", tk.censoredDistance(dist.Uniform{Low: 0, High: 4}), 1-0.375, 1e-15)
}

// TestCensoredAgreesWithSciPy checks that direct maximisation with SciPy's distribution functions
// finds nothing better, and the same law.
func TestCensoredAgreesWithSciPy(t *testing.T) {
	type reference struct {
		Samples []struct {
			Family        string
			Seconds       []float64
			Censored      []bool
			Parameters    []float64
			LogLikelihood float64 `json:"log_likelihood"`
		}
	}
	for _, c := range longtest.ReadJSON[reference](t, "testdata/censored.json").Samples {
		r := mustFit(t, c.Family, RunTime, killedSample(c.Seconds, c.Censored), Options{Censored: true})
		if r.N != 200 || r.Status != Converged || r.Family != c.Family {
			t.Errorf("%s of %d jobs is %s, want %s of 200 converged", r.Family, r.N, r.Status, c.Family)
		}
		near(t, c.Family+": log-likelihood", float64(r.LogLikelihood), c.LogLikelihood, 1e-5)
		for j, p := range r.Parameters {
			relative(t, c.Family+": "+p.Name, p.Value, c.Parameters[j], 1e-5)
		}
	}
}

func killedSample(values []float64, killed []bool) Sample {
	s := NewSample(RunTime, values)
	s.Censored = make([]float64, len(s.Values))
	for i, v := range values {
		if at, _ := slices.BinarySearch(s.Values, v); killed[i] {
			s.Censored[at]++
		}
	}
	return s
}

// TestCensoredOfOneValue checks that if all jobs but those of one value are killed, the spread is
// undetermined.
func TestCensoredOfOneValue(t *testing.T) {
	few := Sample{Values: []float64{5, 9}, Counts: []float64{3, 2}, Censored: []float64{0, 2}}
	for _, family := range []string{"gamma", "log-normal", "weibull"} {
		if _, err := Fit(family, RunTime, few, Options{Censored: true}); !errors.As(err, new(*DegenerateError)) {
			t.Errorf("%s for one value: %v", family, err)
		}
	}
	few.Censored[0] = 3
	if _, err := Fit("exponential", RunTime, few, Options{Censored: true}); !errors.As(err, new(*DegenerateError)) {
		t.Errorf("exponential without values: %v", err)
	}
}
