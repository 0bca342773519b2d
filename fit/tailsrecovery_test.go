package fit

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/dist"
)

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

func TestRecoverBoundedPareto(t *testing.T) {
	const n = 20000
	for i, alpha := range []float64{1.1, 0.05, -0.7} {
		law := dist.BoundedPareto{Low: 5, High: 64800, Alpha: alpha}
		x := draw(law, n, 30+uint64(i), false)
		r := mustFit(t, "bounded-pareto", RunTime, NewSample(RunTime, x), Options{})
		errs := standardErrors(t, x, []float64{alpha}, func(p []float64) dist.Law {
			return dist.BoundedPareto{Low: law.Low, High: law.High, Alpha: p[0]}
		})
		near(t, "alpha", parameter(t, r, "alpha"), alpha, sigmas*math.Abs(errs[0]))
		if low, high := parameter(t, r, "low"), parameter(t, r, "high"); low > law.InverseSurvival(1-16.2/n) || low < law.Low || high < law.Quantile(1-16.2/n) || high > law.High {
			t.Errorf("bounds are %g and %g, want those of the distribution, %g and %g, up to 16.2/n of it", low, high, law.Low, law.High)
		}
		if warned := len(r.Warnings) == 1; warned != (parameter(t, r, "alpha") <= 0) {
			t.Errorf("alpha is %g, warnings are %q", parameter(t, r, "alpha"), r.Warnings)
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
	for _, family := range []string{"log-normal", "log-normal-mixture", "weibull", "pareto", "bounded-pareto"} {
		a, b := mustFit(t, family, RunTime, once, Options{}), mustFit(t, family, RunTime, often, Options{})
		for i, p := range a.Parameters {
			relative(t, family+": "+p.Name, b.Parameters[i].Value, p.Value, 1e-5)
		}
		relative(t, family+": log-likelihood", float64(b.LogLikelihood), float64(7*a.LogLikelihood), 1e-9)
	}
}

// TestCutExponentialRate: a law's own mean gives its rate back. The mean of a
// cut exponential law is that of ln of a bounded Pareto from 1 to e, here by
// hand: 1/r - 1/(exp(r)-1), and 1/2 - r/12 for rates near 0.
func TestCutExponentialRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := math.Exp(rapid.Float64Range(math.Log(0.1), math.Log(1e6)).Draw(t, "ln rate"))
		if got := cutExponentialRate(1/rate - 1/math.Expm1(rate)); !(math.Abs(got-rate) <= 1e-11*rate) {
			t.Fatalf("rate is %.15g, want %.15g", got, rate)
		}
	})
	if got := cutExponentialRate(0.5 - 1e-6/12); !(math.Abs(got-1e-6) <= 1e-14) {
		t.Errorf("rate is %.15g, want 1e-6", got)
	}
	if got := cutExponentialRate(0.5); got != 0 {
		t.Errorf("rate of the uniform distribution is %g, want 0", got)
	}
}
