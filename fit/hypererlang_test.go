package fit

import (
	"math"
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
