package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
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

// TestRecoverLogNormal: the standard errors are sigma/sqrt(n) and
// sigma/sqrt(2n).
func TestRecoverLogNormal(t *testing.T) {
	const n = 20000
	for i, l := range []dist.LogNormal{{Mu: 6.5, Sigma: 1.8}, {Mu: -3, Sigma: 0.02}} {
		r := mustFit(t, "log-normal", RunTime, NewSample(RunTime, draw(l, n, uint64(i), false)), Options{})
		near(t, "mu", parameter(t, r, "mu"), l.Mu, sigmas*l.Sigma/math.Sqrt(n))
		near(t, "sigma", parameter(t, r, "sigma"), l.Sigma, sigmas*l.Sigma/math.Sqrt(2*n))
	}
}

// TestRecoverWeibull: the standard errors are 0.7797 shape/sqrt(n) and
// 1.0530 scale/(shape sqrt(n)) (sqrt(6)/π and the root of 1 + 6(1-γ)²/π²).
func TestRecoverWeibull(t *testing.T) {
	const n = 20000
	const gamma = 0.5772156649015329
	for i, w := range []dist.Weibull{{Shape: 0.45, Scale: 3000}, {Shape: 9, Scale: 0.3}} {
		r := mustFit(t, "weibull", RunTime, NewSample(RunTime, draw(w, n, 10+uint64(i), false)), Options{})
		near(t, "shape", parameter(t, r, "shape"), w.Shape, sigmas*w.Shape*math.Sqrt(6/(math.Pi*math.Pi*n)))
		near(t, "scale", parameter(t, r, "scale"), w.Scale, sigmas*w.Scale/w.Shape*math.Sqrt((1+6*(1-gamma)*(1-gamma)/(math.Pi*math.Pi))/n))
	}
}

// TestRecoverPareto: alpha's standard error is alpha/sqrt(n), and the smallest
// of n values is a Pareto value of index n alpha.
func TestRecoverPareto(t *testing.T) {
	const n = 20000
	for i, p := range []dist.Pareto{{XMin: 10, Alpha: 1.1}, {XMin: 0.01, Alpha: 40}} {
		r := mustFit(t, "pareto", RunTime, NewSample(RunTime, draw(p, n, 20+uint64(i), false)), Options{})
		near(t, "alpha", parameter(t, r, "alpha"), p.Alpha, sigmas*p.Alpha/math.Sqrt(n))
		largest := dist.Pareto{XMin: p.XMin, Alpha: n * p.Alpha}.InverseSurvival(1e-7)
		if x := parameter(t, r, "x_min"); !(x >= p.XMin && x <= largest) {
			t.Errorf("x_min is %.10g, want %g to %.10g", x, p.XMin, largest)
		}
	}
}

// TestCountsAreJobs: seven jobs of each are one fit as if each stood seven
// times in the sample.
func TestCountsAreJobs(t *testing.T) {
	law := dist.LogNormal{Mu: 3, Sigma: 1.5}
	once := NewSample(RunTime, draw(law, 300, 40, true))
	often := Sample{Values: once.Values, Counts: make([]float64, len(once.Counts))}
	for i, c := range once.Counts {
		often.Counts[i] = 7 * c
	}
	for _, family := range []string{"log-normal", "weibull", "pareto"} {
		a, b := mustFit(t, family, RunTime, once, Options{}), mustFit(t, family, RunTime, often, Options{})
		for i, p := range a.Parameters {
			relative(t, family+": "+p.Name, b.Parameters[i].Value, p.Value, 1e-5)
		}
		relative(t, family+": log-likelihood", float64(b.LogLikelihood), float64(7*a.LogLikelihood), 1e-9)
	}
}

// TestWeibullMLOfTwoValues: of a and 1/a the likeliest shape c solves, with
// y = ln a, c y tanh(c y) = 1, since both values are as far from the middle: c y is
// 1.19967864025773 (the root of z tanh z = 1, the Laplace limit's constant in
// OEIS A085984), and the scale is cosh(c y)^(1/c).
func TestWeibullMLOfTwoValues(t *testing.T) {
	const z = 1.19967864025773
	for _, y := range []float64{0.01, 1, 50} {
		got, ok := weibullML([]float64{math.Exp(-y), math.Exp(y)}, []float64{1, 1}, y)
		if !ok {
			t.Fatalf("no distribution of values %g apart", 2*y)
		}
		relative(t, "shape", got.Shape, z/y, 1e-11)
		relative(t, "scale", got.Scale, math.Exp(math.Log(math.Cosh(z))*y/z), 1e-11)
	}
}

func TestLnRatio(t *testing.T) {
	for _, c := range [][3]float64{
		{1 + 1e-9, 1, 1e-9 - 5e-19},                                 // ln(1+e) = e - e²/2
		{1e200, 1e-200, 400 * math.Ln10},                            // a/b overflows
		{math.MaxFloat64, math.MaxFloat64 / 2, math.Ln2}, {3, 3, 0}, // no rounding
	} {
		relative(t, "ln ratio", lnRatio(c[0], c[1]), c[2], 1e-7)
	}
}
