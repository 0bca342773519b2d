package leastd

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

var unbounded = em.Gammas{Resolution: func(float64) float64 { return 0 }}

func sampleOf(x, counts []float64) *em.Mixture[dist.Gamma] {
	return em.New[dist.Gamma](unbounded, points.New(x, counts))
}

// exponentials are two, of distribution functions 1-exp(-x/scale).
func exponentials(first, second float64) []dist.WeightedGamma {
	return []dist.WeightedGamma{{Law: dist.Gamma{Shape: 1, Scale: first}}, {Law: dist.Gamma{Shape: 1, Scale: second}}}
}

// A single value at which a law is F is off by max(F, 1-F), least at F = 1/2. At
// ln 4 the exponential law of scale 1 is 3/4, of scale ln 4 / ln(4/3) it is 1/4, of a
// tiny scale it is 1: their shares are 1/2, and 1/3 of the last beside the second.
// The distribution functions of the laws seen before are forgotten.
func TestSeeFindsTheShare(t *testing.T) {
	quarter := math.Log(4) / math.Log(4./3)
	m := sampleOf([]float64{math.Log(4)}, []float64{7})
	s := newSearch(m, unbounded, exponentials(1, quarter))
	fittest.Near(t, "share", s.at[0].Weight, .5, 1e-9)
	fittest.Near(t, "D", s.d, .5, 1e-9)
	c := exponentials(1e-9, quarter)
	fittest.Near(t, "D of a second pair", s.see(c), .5, 1e-9)
	fittest.Near(t, "its share", c[0].Weight, 1./3, 1e-9)
	fittest.Near(t, "what is left", c[1].Weight, 2./3, 1e-9)
	c = exponentials(quarter, 1) // the share goes down from 1
	fittest.Near(t, "D with the wider first", s.see(c), .5, 1e-9)
	fittest.Near(t, "its share", c[0].Weight, .5, 1e-9)
	c = exponentials(quarter, quarter)
	fittest.Near(t, "D of two alike", s.see(c), .75, 1e-9)
	if s.evaluations != 4 {
		t.Errorf("%d laws, want 4", s.evaluations)
	}
	// A given share stays: 0.9 * 3/4 + 0.1 * 1/4 = 0.7.
	m.Share = .9
	pair := exponentials(1, quarter)
	pair[0].Weight, pair[1].Weight = .9, .1
	fittest.Near(t, "D of a given share", newSearch(m, unbounded, pair).d, .7, 1e-12)
}

// farthest is D by its definition, of values of one job each.
func farthest(x []float64, cdf func(float64) float64) (d float64) {
	n := float64(len(x))
	for i, v := range x {
		f := cdf(v)
		d = max(d, f-float64(i)/n, float64(i+1)/n-f)
	}
	return d
}

// No continuous law is nearer to n values, each of one job, than 1/2n: its
// distribution function is within each step of 1/n. The law whose quantiles of
// (i+1/2)/n they are is that near.
func TestFitOfQuantiles(t *testing.T) {
	law := dist.Gamma{Shape: 2, Scale: 3}
	const n = 40
	x, counts := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], counts[i] = law.Quantile((float64(i)+.5)/n), 1
	}
	start := []dist.WeightedGamma{{Weight: 1, Law: dist.Gamma{Shape: 5, Scale: 3}}}
	end := Fit(sampleOf(x, counts), unbounded, [][]dist.WeightedGamma{start}, 1)
	fittest.Near(t, "D", farthest(x, end.Components[0].Law.CDF), .5/n, 1e-5)
	fittest.Near(t, "mean", end.Components[0].Law.Mean(), 6, .05)
	if end.Ending != em.Converged || end.Iterations < 100 {
		t.Errorf("%+v", end)
	}
}

// The same of two Gammas, three tenths of the first: of several starts the closest
// end is returned, whatever their order, its components by their means.
func TestFitOfTwo(t *testing.T) {
	first, second := dist.Gamma{Shape: 6, Scale: .5}, dist.Gamma{Shape: 30, Scale: .4}
	cdf := func(x float64) float64 { return .3*first.CDF(x) + .7*second.CDF(x) }
	const n = 60
	x, counts := make([]float64, n), make([]float64, n)
	for i := range x {
		lo, hi := 0.0, 100.0
		for range 60 {
			if x[i] = (lo + hi) / 2; cdf(x[i]) < (float64(i)+.5)/n {
				lo = x[i]
			} else {
				hi = x[i]
			}
		}
		counts[i] = 1
	}
	two := func(a, b dist.Gamma) []dist.WeightedGamma {
		return []dist.WeightedGamma{{Weight: .5, Law: a}, {Weight: .5, Law: b}}
	}
	near := two(dist.Gamma{Shape: 40, Scale: .3}, dist.Gamma{Shape: 3, Scale: 1})
	far := two(dist.Gamma{Shape: 9e4, Scale: 1e-9}, dist.Gamma{Shape: 9e4, Scale: 2e-9}) // before all values: no step brings it nearer
	for _, starts := range [][][]dist.WeightedGamma{{near}, {near, far}, {far, far, near}} {
		end := Fit(sampleOf(x, counts), unbounded, starts, 1)
		c := end.Components
		d := farthest(x, func(v float64) float64 { return c[0].Weight*c[0].Law.CDF(v) + c[1].Weight*c[1].Law.CDF(v) })
		fittest.Near(t, "D", d, .5/n, 1e-6)
		if c[0].Law.Mean() > c[1].Law.Mean() {
			t.Errorf("the first mean is %g, the second %g", c[0].Law.Mean(), c[1].Law.Mean())
		}
	}
}
