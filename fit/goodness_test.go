package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/stats"
)

func everything(workers int) Options {
	return Options{Replicates: 60, Seed: 4, Workers: workers, Tests: true, Intervals: 0.9, Subsamples: 5}
}

// withIntervals returns a fit's parameters except R².
func withIntervals(r Report) []dist.Parameter {
	return slices.DeleteFunc(slices.Clone(r.Parameters), func(p dist.Parameter) bool { return p.Name == "r_squared" })
}

// TestEverythingOnAnyNumberOfCores checks that all results are the same on one core and on
// several, and that p-values and intervals are consistent.
func TestEverythingOnAnyNumberOfCores(t *testing.T) {
	s := NewSample(RunTime, seconds(batch(0.6), 600, 31, true))
	for _, family := range []string{"hyper-gamma", "gamma", "uniform-log", "exponential"} {
		one := mustFit(t, family, RunTime, s, everything(1))
		for _, workers := range []int{2, 3} {
			if d := cmp.Diff(one, mustFit(t, family, RunTime, s, everything(workers))); d != "" {
				t.Errorf("%s: one worker and %d differ:\n%s", family, workers, d)
			}
		}
		for _, p := range []stats.Significance{one.KS.Significance, one.AD.Significance, one.ChiSquare.Significance} {
			if p.Method != stats.ParametricBootstrap || p.Replicates != 60 || !(p.PValue >= 1.0/61 && p.PValue <= 1) || !(p.Asymptotic >= 0 && p.Asymptotic <= 1) {
				t.Errorf("%s: %+v", family, p)
			}
		}
		if one.ChiSquare.DegreesOfFreedom != one.ChiSquare.Cells-1-one.Free || len(one.Intervals.Of) != len(withIntervals(one)) {
			t.Errorf("%s: %+v with %d free parameters, %+v", family, one.ChiSquare, one.Free, one.Intervals)
		}
		for i, p := range one.Intervals.Of {
			if of := withIntervals(one)[i]; p.Name != of.Name || !(p.Low <= p.High) {
				t.Errorf("%s: interval %+v of %+v", family, p, of)
			}
		}
	}
}

// TestTestsAreThoseOfStats checks that with and without replicates the statistics equal those of
// package stats; with them, so does the asymptotic p-value.
func TestTestsAreThoseOfStats(t *testing.T) {
	s := NewSample(RunTime, seconds(batch(0.6), 600, 31, true))
	r := mustFit(t, "gamma", RunTime, s, Options{Tests: true})
	tk := emTask(s, Options{})
	g, err := stats.GoodnessOfFit(tk.x, tk.sample.Counts, r.Law, stats.Tests{AndersonDarling: true, Cells: stats.ChiSquareCells(float64(r.N)), Estimated: 2})
	if err != nil {
		t.Fatal(err)
	}
	ad, chi := g.AD, g.ChiSquare
	if r.AD.A2 != ad.A2 || !math.IsNaN(float64(r.AD.PValue)) || r.AD.Method != stats.NoPValue || r.AD.Refits != nil {
		t.Errorf("%+v, want %+v", r.AD, ad)
	}
	if r.ChiSquare.X2 != chi.X2 || !math.IsNaN(float64(r.ChiSquare.PValue)) || r.ChiSquare.Refits != nil || r.ChiSquare.Cells != chi.Cells {
		t.Errorf("%+v, want %+v", r.ChiSquare, chi)
	}
	drawn := mustFit(t, "gamma", RunTime, s, Options{Tests: true, Replicates: 2})
	if drawn.AD.A2 != r.AD.A2 || drawn.AD.Asymptotic != ad.PValue || drawn.ChiSquare.X2 != r.ChiSquare.X2 || drawn.ChiSquare.Asymptotic != chi.PValue {
		t.Errorf("with a replicate %+v, %+v, want %+v, %+v", drawn.AD, drawn.ChiSquare, ad, chi)
	}
	plain := mustFit(t, "gamma", RunTime, s, Options{})
	if plain.AD != nil || plain.ChiSquare != nil || plain.Intervals != nil || plain.Subsamples != nil {
		t.Error("a report has parts that were not requested")
	}
	few := mustFit(t, "exponential", RunTime, NewSample(RunTime, []float64{10, 20}), Options{Tests: true})
	if w := strings.Join(few.Warnings, "\n"); few.ChiSquare != nil || !strings.Contains(w, "no chi-square test: 2 jobs") {
		t.Errorf("two jobs: %+v, %q", few.ChiSquare, w)
	}
}

// TestBootstrapUniform checks that the p-values of samples from the family are uniform: for 60 or
// 500 of them, whose grid of 40 or 200 steps counts too, the largest distance from the uniform
// law is below Massart's bound at a false-alarm rate of 1e-6. Asymptotic p-values would fail,
// because they are close to 1.
func TestBootstrapUniform(t *testing.T) {
	samples := longtest.Size(60, 500)
	p, asymptotic := nullPValues(t, samples, longtest.Size(39, 199), longtest.Size(80, 400))
	bound := math.Sqrt(math.Log(2/1e-6) / float64(2*samples))
	for name, values := range p {
		if d := uniformDistance(values); d > bound {
			t.Errorf("%s: p-values are %.3f from uniform, want at most %.3f", name, d, bound)
		}
	}
	if d := uniformDistance(asymptotic); d < bound {
		t.Errorf("asymptotic p-values are %.3f from uniform: the test is not sensitive", d)
	}
}

// nullPValues draws n samples of jobs run times from a Gamma law of ln t, rounds them to seconds
// and fits the family. It returns each test's p-values, spread over their steps, and the
// asymptotic ones of Kolmogorov-Smirnov.
func nullPValues(t *testing.T, n, replicates, jobs int) (p map[string][]float64, asymptotic []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, 9))
	spread := func(p float64) float64 { return p - rng.Float64()/float64(replicates+1) }
	p = map[string][]float64{}
	for i := range n {
		rounded := seconds(dist.Gamma{Shape: 30, Scale: 0.25}, jobs, uint64(i), false)
		for j := range rounded {
			rounded[j] = math.Round(rounded[j])
		}
		r := mustFit(t, "gamma", RunTime, NewSample(RunTime, rounded), Options{Replicates: replicates, Seed: uint64(1000 + i), Tests: true})
		p["Kolmogorov-Smirnov"] = append(p["Kolmogorov-Smirnov"], spread(float64(r.KS.PValue)))
		p["Anderson-Darling"] = append(p["Anderson-Darling"], spread(float64(r.AD.PValue)))
		p["chi-square"] = append(p["chi-square"], spread(float64(r.ChiSquare.PValue)))
		asymptotic = append(asymptotic, float64(r.KS.Asymptotic))
	}
	return p, asymptotic
}

func uniformDistance(p []float64) float64 {
	values, counts := stats.Distinct(p)
	g, err := stats.GoodnessOfFit(values, counts, dist.Uniform{Low: 0, High: 1}, stats.Tests{})
	if err != nil {
		return math.NaN()
	}
	return g.KS.D
}
