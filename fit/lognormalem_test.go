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
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

// draw draws n values of a law of the attribute itself, rounded up if asked.
func draw(law dist.Law, n int, seed uint64, round bool) []float64 {
	rng := rand.New(rand.NewPCG(seed, 3))
	t := make([]float64, n)
	for i := range t {
		if t[i] = law.Rand(rng); round {
			t[i] = math.Ceil(t[i])
		}
	}
	return t
}

// tailTask is the task of a family of this file's neighbours.
func tailTask(family string, s Sample, o Options) task {
	f := families()[slices.Index(Families(), family)]
	return newTask(f, RunTime, s, o.filled(f, RunTime, s))
}

// TestLogNormalEMIsMonotone: from any start, on samples with ties and spikes,
// no step lowers the log-likelihood by more than its rounding error, and no
// component is narrower than its bound.
func TestLogNormalEMIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(20, 200).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		spike := rapid.Float64Range(0, 0.9).Draw(t, "spike")
		law := dist.LogNormal{Mu: rapid.Float64Range(0, 10).Draw(t, "mu"), Sigma: rapid.Float64Range(0.01, 4).Draw(t, "sigma")}
		values := []float64{2, 7, 1e4} // at least three distinct
		for range n {
			v := math.Ceil(law.Rand(rng))
			if rng.Float64() < spike {
				v = 3600
			}
			values = append(values, v)
		}
		k := rapid.IntRange(2, 4).Draw(t, "components")
		task := tailTask("log-normal-mixture", NewSample(RunTime, values), Options{Components: k})
		m := task.normals(task.lnPoints())
		starts, _ := m.Starts(k)
		for _, start := range starts {
			last := math.Inf(-1)
			m.Observe = func(l float64) {
				if !(l >= last-1e-11*m.Jobs()*(1+math.Abs(last)/m.Jobs())) {
					t.Fatalf("log-likelihood falls from %.15g to %.15g", last, l)
				}
				last = l
			}
			r := m.Run(start, em.Limits{Iterations: 150, Tolerance: 1e-9})
			sum := 0.0
			for _, c := range r.Components {
				sum += c.Weight
				if err := c.Law.Validate(); err != nil {
					t.Fatal(err)
				}
				if c.Law.Sigma < em.NarrowestSigma*(1-1e-9) {
					t.Fatalf("sigma %g is below any bound", c.Law.Sigma)
				}
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("weights sum to %g", sum)
			}
		}
	})
}

// TestLogNormalMixtureOnAnyNumberOfWorkers: the same bytes, on a sample of
// several chunks, and in the bootstrap.
func TestLogNormalMixtureOnAnyNumberOfWorkers(t *testing.T) {
	s := NewSample(RunTime, draw(dist.LogNormal{Mu: 6, Sigma: 2}, 2*8192+900, 4, false))
	small := Sample{Values: s.Values[:1500], Counts: s.Counts[:1500]}
	for _, c := range []struct {
		s Sample
		o Options
	}{{s, Options{}}, {small, Options{Replicates: 3, Seed: 9}}} {
		var reports []Report
		for _, workers := range []int{1, 3} {
			c.o.Workers = workers
			reports = append(reports, mustFit(t, "log-normal-mixture", RunTime, c.s, c.o))
		}
		if d := cmp.Diff(reports[0], reports[1], sameNumbers); d != "" {
			t.Errorf("%+v: workers change the result:\n%s", c.o, d)
		}
	}
}

// TestLogNormalSpikeIsNoMode: a third of the jobs end at the same second, between
// two modes. The fit is to leave that for the modes, and to say so; where
// there is nothing but values, it stands on one and says that.
func TestLogNormalSpikeIsNoMode(t *testing.T) {
	values := append(draw(dist.LogNormal{Mu: 3, Sigma: 0.7}, 2000, 5, true), draw(dist.LogNormal{Mu: 9, Sigma: 0.7}, 1000, 6, true)...)
	for range 1500 {
		values = append(values, 1800)
	}
	s := NewSample(RunTime, values)
	r := mustFit(t, "log-normal-mixture", RunTime, s, Options{})
	task := tailTask("log-normal-mixture", s, Options{})
	m := task.normals(task.lnPoints())
	for _, p := range r.Law.(dist.LogNormalMixture).Parts() {
		if m.Kernel.Narrowest(p.Law) {
			t.Errorf("a component is at its bound: %+v", p)
		}
	}
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "a likelier but degenerate fit was rejected") {
		t.Errorf("warnings are %q", w)
	}
	few := NewSample(RunTime, []float64{100, 100, 100, 100, 5000, 5000, 5000, 90000, 90000})
	r = mustFit(t, "log-normal-mixture", RunTime, few, Options{})
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "at the minimum width") {
		t.Errorf("warnings are %q", w)
	}
}

func TestMinSigma(t *testing.T) {
	s := NewSample(RunTime, []float64{2, 3, 1000})
	bound := func(o Options, seconds float64) float64 {
		m := tailTask("log-normal-mixture", s, o).normals(points.Set{Linear: true})
		return m.Kernel.(em.Normals).MinSigma(math.Log(seconds))
	}
	// Around 2 s a cell of 1 s is 1/2 of ln t wide.
	relative(t, "bound at 2 s", bound(Options{}, 2), 0.5/math.Sqrt(12), 1e-12)
	near(t, "bound at 1 h", bound(Options{}, 3600), em.NarrowestSigma, 0)
	near(t, "bound without rounding", bound(Options{Resolution: -1}, 2), em.NarrowestSigma, 0)
}

// TestGrowFindsNarrowPeaks: two narrow peaks over two broader laws, as run
// times of grids have them. From splits of this sample alone the fit ends 380
// below the truth in log-likelihood; from grown starts it is at least as
// likely, and twice the gain is a chi-square of 11 degrees of freedom, beyond
// 54.4 with probability 1e-7.
func TestGrowFindsNarrowPeaks(t *testing.T) {
	truth, err := dist.NewLogNormalMixture(
		dist.WeightedLogNormal{Weight: 0.084, Law: dist.LogNormal{Mu: 4.347, Sigma: 0.0732}},
		dist.WeightedLogNormal{Weight: 0.178, Law: dist.LogNormal{Mu: 4.917, Sigma: 0.0422}},
		dist.WeightedLogNormal{Weight: 0.158, Law: dist.LogNormal{Mu: 5.346, Sigma: 0.163}},
		dist.WeightedLogNormal{Weight: 0.58, Law: dist.LogNormal{Mu: 7.614, Sigma: 2.307}})
	if err != nil {
		t.Fatal(err)
	}
	s := NewSample(RunTime, draw(truth, 4000, 6, false))
	l := 0.0
	for i, v := range s.Values {
		l += s.Counts[i] * truth.LogPDF(v)
	}
	r := mustFit(t, "log-normal-mixture", RunTime, s, Options{Components: 4})
	if gain := 2 * (float64(r.LogLikelihood) - l); !(gain > 0 && gain < 54.4) {
		t.Errorf("twice the gain in log-likelihood over the truth is %g, want between 0 and 54.4", gain)
	}
}
