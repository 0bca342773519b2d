package fit

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// TestHyperErlang: shapes are whole, the likelihood lies between that of the
// rounded hyper-Gamma and that of the hyper-Gamma, and no shape one higher or
// lower does better.
func TestHyperErlang(t *testing.T) {
	law := dist.HyperGamma{First: dist.Gamma{Shape: 3, Scale: 1}, Second: dist.Gamma{Shape: 40, Scale: 0.22}, P: 0.5}
	s := NewSample(RunTime, seconds(law, 2000, 11, true))
	free := mustFit(t, "hyper-gamma", RunTime, s, Options{})
	erlang := mustFit(t, "hyper-erlang", RunTime, s, Options{})
	if erlang.Family != "hyper-erlang" {
		t.Errorf("family is %s", erlang.Family)
	}
	start := componentsOf(free.Law)
	for i, c := range start {
		start[i].Law = ofShape(math.Round(c.Law.Shape), c.Law.Mean())
	}
	rounded := dist.HyperGamma{First: start[0].Law, Second: start[1].Law, P: start[0].Weight}
	of := emTask(t, s, Options{})
	if _, l, _ := of.logLikelihoods(rounded); !(l < erlang.LogLikelihoodTransformed && erlang.LogLikelihood < free.LogLikelihood) {
		t.Errorf("log-likelihoods of the rounded, the hyper-Erlang and the hyper-Gamma are %.4f, %.4f, %.4f: want them to rise",
			l, erlang.LogLikelihoodTransformed, free.LogLikelihoodTransformed)
	}
	task := emTask(t, s, Options{})
	m := task.mixture(em.NewPoints(task.x, task.sample.Counts))
	m.Laws = em.Gammas{Resolution: task.resolution, Shaped: true}
	best := componentsOf(erlang.Law)
	for i := range best {
		if shape := best[i].Law.Shape; shape != math.Round(shape) {
			t.Errorf("shape %g is no whole number", shape)
		}
		for _, step := range []float64{-1, 1} {
			c := componentsOf(erlang.Law)
			mean, shape := c[i].Law.Mean(), c[i].Law.Shape+step
			c[i].Law = dist.Gamma{Shape: shape, Scale: mean / shape}
			if l := m.Run(c, em.Fine()).LogLikelihood; l > erlang.LogLikelihoodTransformed+1e-3 {
				t.Errorf("component %d with shape %g has log-likelihood %.4f, above %.4f", i+1, shape, l, erlang.LogLikelihoodTransformed)
			}
		}
	}
}

// TestChooseComponents: as many as the sample has, where it has clear ones,
// and BICs that are those of fits with that number.
func TestChooseComponents(t *testing.T) {
	three, err := dist.NewGammaMixture(
		dist.WeightedGamma{Weight: 0.3, Law: dist.Gamma{Shape: 20, Scale: 0.1}},
		dist.WeightedGamma{Weight: 0.3, Law: dist.Gamma{Shape: 200, Scale: 0.03}},
		dist.WeightedGamma{Weight: 0.4, Law: dist.Gamma{Shape: 900, Scale: 0.012}})
	if err != nil {
		t.Fatal(err)
	}
	for want, law := range map[int]dist.Law{1: dist.Gamma{Shape: 30, Scale: 0.25}, 2: batch(0.5), 3: three} {
		s := NewSample(RunTime, seconds(law, 1500, 21, false))
		r := mustFit(t, "hyper-gamma", RunTime, s, Options{ChooseComponents: true})
		if got := len(componentsOf(r.Law)); got != want {
			t.Errorf("%d components are chosen of %+v, want %d", got, r.Tried, want)
		}
		if len(r.Tried) != min(want+2, mostComponents) {
			t.Errorf("tried %+v, want up to %d", r.Tried, want+2)
		}
		if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "chosen by BIC") {
			t.Errorf("warnings are %q", w)
		}
		relative(t, "BIC", float64(r.BIC), float64(r.Tried[want-1].BIC), 1e-9)
		two := mustFit(t, "hyper-gamma", RunTime, s, Options{})
		relative(t, "BIC of two", float64(two.BIC), float64(r.Tried[1].BIC), 1e-9)
	}
	// No more than two can be told apart.
	few := NewSample(RunTime, []float64{10, 10, 11, 11, 5000, 5000, 5100})
	if r := mustFit(t, "hyper-gamma", RunTime, few, Options{ChooseComponents: true}); len(r.Tried) > 2 {
		t.Errorf("tried %+v on 7 jobs, want 2 at the most: three components have 8 parameters", r.Tried)
	}
}

// TestHyperExponentialOfThree: of three components each has a mean and a share.
func TestHyperExponentialOfThree(t *testing.T) {
	s := NewSample(RunTime, seconds(batch(0.5), 1000, 3, false))
	r := mustFit(t, "hyper-exponential", RunTime, s, Options{Components: 3})
	shares, last := 0.0, 0.0
	for i := 1; i <= 3; i++ {
		shares += parameter(t, r, fmt.Sprint("p_", i))
		mean := parameter(t, r, fmt.Sprint("mean_", i))
		if !(mean > last) {
			t.Errorf("mean_%d is %g, after %g", i, mean, last)
		}
		last = mean
	}
	near(t, "sum of shares", shares, 1, 1e-12)
}
