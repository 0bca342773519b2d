package fit

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// TestHyperErlang checks that shapes are whole numbers, and that no shape one higher or lower is
// better.
func TestHyperErlang(t *testing.T) {
	law := dist.HyperGamma{First: dist.Gamma{Shape: 3, Scale: 1}, Second: dist.Gamma{Shape: 40, Scale: 0.22}, P: 0.5}
	s := NewSample(RunTime, seconds(law, 2000, 11, true))
	erlang := mustFit(t, "hyper-erlang", RunTime, s, Options{})
	if erlang.Family != "hyper-erlang" {
		t.Errorf("family is %s", erlang.Family)
	}
	task := emTask(s, Options{})
	m := task.mixture(em.NewPoints(task.x, task.sample.Counts))
	m.Laws = em.Gammas{Resolution: task.resolution, Shaped: true}
	best := componentsOf(erlang.Law)
	for i := range best {
		if shape := best[i].Law.Shape; shape != math.Round(shape) {
			t.Errorf("shape %g is not a whole number", shape)
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
