package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// seconds draws n run times from a law of ln t, rounded to whole seconds if round is set.
func seconds(law dist.Law, n int, seed uint64, round bool) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	t := make([]float64, n)
	for i := range t {
		t[i] = math.Exp(law.Rand(rng))
		if round {
			t[i] = math.Floor(t[i])
		}
	}
	return t
}

// batch returns the law of run times in the preset lublin1999-batch, with share p.
func batch(p float64) dist.HyperGamma {
	return dist.HyperGamma{First: dist.Gamma{Shape: 6.57, Scale: 0.823}, Second: dist.Gamma{Shape: 639.1, Scale: 0.0156}, P: p}
}

func emTask(s Sample, o Options) task {
	all := families()
	f := all[slices.IndexFunc(all, func(f family) bool { return f.name == "hyper-gamma" })]
	return newTask(f, RunTime, s, o.filled(s))
}

// TestEMIsMonotone checks that from any start, on samples with ties and spikes, no step of EM
// lowers the log-likelihood by more than its rounding error, and no component exceeds its bound.
// At the highest shape, 1e5, a log-density is the difference of numbers near 1e6, with a rounding
// error of 1e-10.
func TestEMIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(20, 300).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		spike := rapid.Float64Range(0, 0.9).Draw(t, "spike")
		law := dist.HyperGamma{
			First:  dist.Gamma{Shape: rapid.Float64Range(0.5, 20).Draw(t, "a1"), Scale: 0.5},
			Second: dist.Gamma{Shape: rapid.Float64Range(1, 900).Draw(t, "a2"), Scale: 0.02}, P: 0.4,
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Ceil(math.Exp(min(law.Rand(rng), 14)))
			if rng.Float64() < spike {
				values[i] = 3600
			}
		}
		values = append(values, 2, 7, 1e4) // at least three distinct
		task := emTask(NewSample(RunTime, values), Options{})
		m := task.mixture(em.NewPoints(task.x, task.sample.Counts))
		starts := m.Starts()
		for _, start := range starts {
			last := math.Inf(-1)
			m.Observe = func(l float64) {
				if !(l >= last-1e-9*m.Jobs) {
					t.Fatalf("log-likelihood falls from %.15g to %.15g", last, l)
				}
				last = l
			}
			r := m.Run(start, em.Limits{Iterations: 200, Tolerance: 1e-9})
			sum := 0.0
			for _, c := range r.Components {
				sum += c.Weight
				if err := dist.Validate(c.Law); err != nil {
					t.Fatal(err)
				}
				if c.Law.Shape > task.bounds().MaxShape(c.Law.Mean())*(1+1e-9) {
					t.Fatalf("shape %g is above its bound %g", c.Law.Shape, task.bounds().MaxShape(c.Law.Mean()))
				}
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("weights sum to %g", sum)
			}
		}
	})
}

// TestAnyNumberOfWorkers checks that results are the same to the byte, on a sample of several
// chunks.
func TestAnyNumberOfWorkers(t *testing.T) {
	s := NewSample(RunTime, seconds(batch(0.6), 26000, 4, false))
	if len(s.Values) < 3*8192 {
		t.Fatalf("%d distinct values are too few for this test", len(s.Values))
	}
	one := mustFit(t, "hyper-gamma", RunTime, s, Options{Workers: 1})
	for _, workers := range []int{2, 5} {
		if d := cmp.Diff(one, mustFit(t, "hyper-gamma", RunTime, s, Options{Workers: workers}), sameNumbers); d != "" {
			t.Errorf("%d workers change the result:\n%s", workers, d)
		}
	}
}

// TestSpikeIsNoMode: a fifth of the jobs end at the same second, a wall-clock limit. The
// likelihood of a component on that second alone is limited only by the fit's own bound; the fit
// must choose a mode in its place, and report this.
func TestSpikeIsNoMode(t *testing.T) {
	values := seconds(dist.Gamma{Shape: 9, Scale: 0.8}, 4000, 5, true)
	for i := range 800 {
		values[i] = 1800
	}
	s := NewSample(RunTime, values)
	r := mustFit(t, "hyper-gamma", RunTime, s, Options{})
	task := emTask(s, Options{})
	m := task.mixture(em.NewPoints(task.x, task.sample.Counts))
	if c := componentsOf(r.Law); m.AtBound(c) {
		t.Errorf("a component is at its bound: %+v", c)
	}
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "a likelier but degenerate fit was rejected") {
		t.Errorf("warnings are %q", w)
	}
	// With three values, one component always covers a single value.
	few := NewSample(RunTime, []float64{100, 100, 100, 100, 5000, 5000, 5000, 90000, 90000})
	r = mustFit(t, "hyper-gamma", RunTime, few, Options{})
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "component 1 (share 0.444) is at the minimum width, near run_time = 100") {
		t.Errorf("warnings are %q", w)
	}
}

// bounds returns the bounds of the task's components.
func (t task) bounds() em.Gammas { return t.mixture(em.NewPoints(t.x, t.sample.Counts)).Laws }

// wholeSeconds returns n run times as in a log: whole seconds up to 45 hours, from the batch
// preset's law.
func wholeSeconds(n int) []float64 {
	law := dist.Ln{Inner: batch(0.65), MaxLn: 12}
	rng := rand.New(rand.NewPCG(1, 1))
	t := make([]float64, n)
	for i := range t {
		t[i] = math.Floor(law.Rand(rng))
	}
	return t
}
