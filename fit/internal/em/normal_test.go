package em

import (
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

// Sums are of distances from the old mean. Of two jobs at 1 and 3 beside an old mean
// of 1.5 the distances are -0.5 and 1.5, so that the mean is 2 and sigma 1. Without
// jobs a law stays, and so does one that is likelier than the narrowest allowed.
func TestNormalsMaximise(t *testing.T) {
	n := Normals{Resolution: exact}
	old := dist.LogNormal{Mu: 1.5, Sigma: 4}
	got := n.Maximise(Sums{W: 2, A: 1, B: 2.5}, old)
	fittest.Near(t, "mu", got.Mu, 2, 1e-15)
	fittest.Near(t, "sigma", got.Sigma, 1, 1e-15)
	if got := n.Maximise(Sums{}, old); got != old {
		t.Errorf("%+v of no jobs, want %+v", got, old)
	}
	// All jobs at 1.5: as narrow as is allowed, 0.003, or a cell's width over sqrt(12).
	if got := n.Maximise(Sums{W: 2}, old); got != (dist.LogNormal{Mu: 1.5, Sigma: .003}) {
		t.Errorf("%+v, want the narrowest distribution", got)
	}
	// Cells are narrow at 0 and wide at 1: both jobs at 1 are likelier by the old law.
	// -2 ln L is 4 ln 1 + 2 = 2 by it, 4 ln 10 = 9.2 by the one of sigma 10.
	wide := Normals{Resolution: func(y float64) float64 { return 10 * math.Sqrt(12) * math.Round(y) }}
	old = dist.LogNormal{Mu: 0, Sigma: 1}
	if got := wide.Maximise(Sums{W: 2, A: 2, B: 2}, old); got != old {
		t.Errorf("%+v, want the old distribution, which is likelier", got)
	}
}

// A law of a part of the values: of 1, 1 and 4 the mean is 2, the variance 2.
func TestNormalsOf(t *testing.T) {
	p := points.Set{X: []float64{-7, 1, 4, 9}, W: []float64{5, 2, 1, 1}, Linear: true}
	got := Normals{Resolution: exact}.Of(&p, 1, 3)
	fittest.Near(t, "mu", got.Mu, 2, 1e-15)
	fittest.Near(t, "sigma", got.Sigma, math.Sqrt2, 1e-15)
}

// The log-likelihood is the sum over jobs of the logarithm of the mixture's density,
// by its definition, of two components as of three, and again on the same problem.
func TestLogLikelihood(t *testing.T) {
	x, w := []float64{-1, 0.5, 2, 7}, []float64{1, 3, 2, 1}
	m := New[dist.LogNormal](Normals{Resolution: exact}, points.Set{X: x, W: w, Linear: true})
	all := []dist.Weighted[dist.LogNormal]{
		{Weight: .5, Law: dist.LogNormal{Mu: 0, Sigma: 1}}, {Weight: .3, Law: dist.LogNormal{Mu: 2, Sigma: 3}}, {Weight: .2, Law: dist.LogNormal{Mu: 6, Sigma: .5}},
	}
	for _, n := range []int{1, 2, 3, 2} {
		want := 0.0
		for i, y := range x {
			sum := 0.0
			for _, c := range all[:n] {
				z := (y - c.Law.Mu) / c.Law.Sigma
				sum += c.Weight / c.Law.Sigma / math.Sqrt(2*math.Pi) * math.Exp(-z*z/2)
			}
			want += w[i] * math.Log(sum)
		}
		fittest.Near(t, "log-likelihood", m.LogLikelihood(all[:n]), want, 1e-12)
	}
}

// Jobs that are packed on one value, four times as many as all others, have a start
// with the narrowest law there, of their share: 0.8. The other law is that of all.
func TestPeaks(t *testing.T) {
	var x, w []float64
	for i := range 50 {
		x, w = append(x, float64(i)), append(w, 1)
	}
	w[20] = 4 * 49
	m := New[dist.LogNormal](Normals{Resolution: exact}, points.Set{X: x, W: w, Linear: true})
	starts := m.peaks(2)
	at := slices.IndexFunc(starts, func(c []dist.Weighted[dist.LogNormal]) bool { return c[len(c)-1].Law.Mu == 20 })
	if at != 0 {
		t.Fatalf("%d starts, that on the peak is number %d", len(starts), at)
	}
	c := starts[0]
	fittest.Near(t, "share of the peak", c[1].Weight, .8, 1e-12)
	fittest.Near(t, "share of the others", c[0].Weight, .2, 1e-12)
	fittest.Near(t, "sigma of the peak", c[1].Law.Sigma, NarrowestSigma, 1e-15)
}

// Logarithms that differ by no more than rounding error make no law; of ln 1 and
// ln e^2 the mean is 1 and sigma 1.
func TestLogNormalSumsML(t *testing.T) {
	var s LogNormalSums
	if _, ok := s.ML(); ok {
		t.Error("a distribution of nothing")
	}
	s.Add(1, 3)
	s.Add(1+1e-15, 1)
	if _, ok := s.ML(); ok {
		t.Error("a distribution of one value")
	}
	s = LogNormalSums{}
	s.Add(1, 1)
	s.Add(math.Exp(2), 1)
	law, ok := s.ML()
	if !ok {
		t.Fatal("no distribution of two values")
	}
	fittest.Near(t, "mu", law.Mu, 1, 1e-15)
	fittest.Near(t, "sigma", law.Sigma, 1, 1e-15)
}
