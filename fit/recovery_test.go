package fit

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// sigmas is how many standard errors an estimate may be off: the normal law
// leaves 1e-7 beyond it on both sides together.
const sigmas = 5.33

// TestRecoverGamma: the asymptotic standard errors of maximum likelihood are
// the square roots of a/(n(a ψ'(a)-1)) for the shape a and b² ψ'(a)/(n(a
// ψ'(a)-1)) for the scale b.
func TestRecoverGamma(t *testing.T) {
	const n = 50000
	for i, g := range []dist.Gamma{{Shape: 6.0415, Scale: 0.8531}, {Shape: 10.23, Scale: 0.4871}, {Shape: 300, Scale: 0.03}} {
		r := mustFit(t, "gamma", Interarrival, NewSample(Interarrival, seconds(g, n, uint64(i), false)), Options{})
		// a ψ'(a) - 1 is a (ψ'(a) - 1/a), without cancellation.
		d := n * g.Shape * num.TrigammaMinusInverse(g.Shape)
		near(t, "shape", parameter(t, r, "shape"), g.Shape, sigmas*math.Sqrt(g.Shape/d))
		near(t, "scale", parameter(t, r, "scale"), g.Scale, sigmas*g.Scale*math.Sqrt(num.Trigamma(g.Shape)/d))
	}
}

// standardErrors are those of maximum likelihood at the true parameters, from
// the sample's mean outer product of the score, by central differences.
func standardErrors(t *testing.T, x []float64, at []float64, law func([]float64) dist.Law) []float64 {
	t.Helper()
	k := len(at)
	up, down, step := make([]func(float64) float64, k), make([]func(float64) float64, k), make([]float64, k)
	for i := range at {
		step[i] = 1e-5 * at[i]
		p := append([]float64(nil), at...)
		p[i] = at[i] + step[i]
		up[i] = dist.LogDensity(law(p))
		p = append([]float64(nil), at...)
		p[i] = at[i] - step[i]
		down[i] = dist.LogDensity(law(p))
	}
	information := mat.NewDense(k, k, nil)
	score := make([]float64, k)
	for _, v := range x {
		for i := range score {
			score[i] = (up[i](v) - down[i](v)) / (2 * step[i])
		}
		for i := range score {
			for j := range score {
				information.Set(i, j, information.At(i, j)+score[i]*score[j])
			}
		}
	}
	var inverse mat.Dense
	if err := inverse.Inverse(information); err != nil {
		t.Fatal(err)
	}
	errs := make([]float64, k)
	for i := range errs {
		errs[i] = math.Sqrt(inverse.At(i, i))
	}
	return errs
}

func hyperGamma(p []float64) dist.Law {
	return dist.HyperGamma{First: dist.Gamma{Shape: p[0], Scale: p[1]}, Second: dist.Gamma{Shape: p[2], Scale: p[3]}, P: p[4]}
}

// TestRecoverHyperGamma, with the share estimated and with it given.
func TestRecoverHyperGamma(t *testing.T) {
	const n = 50000
	names := []string{"shape_1", "scale_1", "shape_2", "scale_2", "p"}
	for _, want := range [][]float64{
		{6.57, 0.823, 639.1, 0.0156, 0.65}, // batch
		{4.2, 0.94, 312, 0.03, 0.75},       // without types
	} {
		for seed := range uint64(2) {
			values := seconds(hyperGamma(want), n, 100+seed, false)
			x := make([]float64, n)
			for i, v := range values {
				x[i] = math.Log(v)
			}
			s := NewSample(RunTime, values)
			free := mustFit(t, "hyper-gamma", RunTime, s, Options{})
			errs := standardErrors(t, x, want, hyperGamma)
			for i, name := range names {
				near(t, name, parameter(t, free, name), want[i], sigmas*errs[i])
			}
		}
	}
}

// TestRecoverThreeComponents: the fit is at least as likely as the truth, and
// twice the gain is a chi-square of 8 degrees of freedom, beyond 47.97 with
// probability 1e-7.
func TestRecoverThreeComponents(t *testing.T) {
	truth, err := dist.NewGammaMixture(
		dist.WeightedGamma{Weight: 0.3, Law: dist.Gamma{Shape: 20, Scale: 0.1}},
		dist.WeightedGamma{Weight: 0.3, Law: dist.Gamma{Shape: 200, Scale: 0.03}},
		dist.WeightedGamma{Weight: 0.4, Law: dist.Gamma{Shape: 900, Scale: 0.012}})
	if err != nil {
		t.Fatal(err)
	}
	values := seconds(truth, 20000, 8, false)
	kept, l := 0, 0.0
	for _, v := range values {
		if v > 1 {
			kept++
			l += truth.LogPDF(math.Log(v))
		}
	}
	r := mustFit(t, "hyper-gamma", RunTime, NewSample(RunTime, values), Options{Components: 3})
	if r.Family != "gamma-mixture" || r.N != int64(kept) || r.Status != Converged {
		t.Errorf("family %s, n %d, status %s", r.Family, r.N, r.Status)
	}
	if gain := 2 * (r.LogLikelihoodTransformed - l); !(gain > 0 && gain < 47.97) {
		t.Errorf("twice the gain in log-likelihood over the truth is %g, want between 0 and 47.97", gain)
	}
}

// dkw is the half width of the band that contains an empirical distribution
// function around the true one but for a probability of 1e-7: Dvoretzky,
// Kiefer and Wolfowitz's inequality with Massart's constant.
func dkw(n int) float64 { return math.Sqrt(math.Log(2/1e-7) / (2 * float64(n))) }

// TestRecoverTwoStageUniform: least squares is at most as far (in mean square
// over the jobs) from the sample as the truth is, which is within the band,
// so the two are at most twice the band apart.
func TestRecoverTwoStageUniform(t *testing.T) {
	const n = 20000
	truth := dist.TwoStageUniform{Low: 1, Mid: 9, High: 11, P: 0.3}
	values := seconds(truth, n, 11, false)
	r := mustFit(t, "two-stage-uniform", RunTime, NewSample(RunTime, values), Options{})
	sum := 0.0
	for _, v := range values {
		d := r.Law.CDF(math.Log(v)) - truth.CDF(math.Log(v))
		sum += d * d
	}
	if d := math.Sqrt(sum / n); d > 2*dkw(n) {
		t.Errorf("distance %g from the truth, want at most %g", d, 2*dkw(n))
	}
	if r.Status != Converged {
		t.Errorf("status is %s", r.Status)
	}
}

// TestRecoverUniformLog: the same argument for the line, over the jobs that it
// is through.
func TestRecoverUniformLog(t *testing.T) {
	const n = 20000
	truth := dist.Uniform{Low: 2, High: 12}
	r := mustFit(t, "uniform-log", RunTime, NewSample(RunTime, seconds(truth, n, 12, false)), Options{})
	b0, b1 := parameter(t, r, "intercept"), parameter(t, r, "slope")
	sum, points := 0.0, 0.0
	for x := 3.0; x <= 11; x += 0.01 {
		d := b0 + b1*x - truth.CDF(x)
		sum += d * d
		points++
	}
	if d := math.Sqrt(sum / points); d > 2*dkw(n)+0.5/n {
		t.Errorf("distance %g from the truth, want at most %g", d, 2*dkw(n))
	}
}

func TestClosedForms(t *testing.T) {
	s := NewSample(RunTime, []float64{1, 2, 2, 5, math.NaN(), -3, 0, math.Inf(1)})
	e := mustFit(t, "exponential", RunTime, s, Options{})
	if m := parameter(t, e, "mean"); m != 2.5 || e.N != 4 {
		t.Errorf("mean %g of %d jobs, want 2.5 of 4", m, e.N)
	}
	near(t, "log-likelihood", float64(e.LogLikelihood), -4*math.Log(2.5)-4, 1e-12)
	want := []LeftOut{{"run time unknown", 1}, {"run time not positive", 2}, {"run time infinite", 1}}
	if len(e.LeftOut) != 3 || e.LeftOut[0] != want[0] || e.LeftOut[1] != want[1] || e.LeftOut[2] != want[2] {
		t.Errorf("left out %v, want %v", e.LeftOut, want)
	}
	u := mustFit(t, "uniform", RunTime, s, Options{})
	near(t, "low", parameter(t, u, "low"), 1, 0)
	near(t, "high", parameter(t, u, "high"), 5, 0)
	near(t, "log-likelihood", float64(u.LogLikelihood), -4*math.Log(4), 1e-12)
}
