package fit

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// The jobs of Lublin and Feitelson (2003), section 3.2.1: of 12 values, 1 four
// times, 2 three times, 3 twice, 4, 5 and 15, the sum is 40 and that of the
// squares 4+12+18+16+25+225 = 300, so that the mean is 10/3 and the variance
// 25 - 100/9 = 125/9; 75 % of the squares are of the largest job.
func TestMoments(t *testing.T) {
	s := NewSample(RunTime, []float64{1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 15})
	const mean, variance = 10.0 / 3, 125.0 / 9
	ln := math.Log(1 + variance/(mean*mean))
	for _, x := range []struct {
		family    string
		transform Transform
		want      dist.Law
	}{
		{"gamma", None, dist.Gamma{Shape: 0.8, Scale: 25.0 / 6}},
		{"log-normal", "", dist.LogNormal{Mu: math.Log(mean) - ln/2, Sigma: math.Sqrt(ln)}},
		{"exponential", "", dist.Exponential{Mean: mean}},
		{"uniform", "", dist.Uniform{Low: mean - math.Sqrt(3*variance), High: mean + math.Sqrt(3*variance)}},
	} {
		r := mustFit(t, x.family, RunTime, s, Options{Method: MethodMoments, Transform: x.transform})
		for i, p := range dist.Parameters(x.want) {
			relative(t, x.family+": "+p.Name, r.Parameters[i].Value, p.Value, 1e-12)
		}
		if r.Method != MethodMoments || len(r.Warnings) == 0 || !strings.Contains(r.Warnings[0], "75.0 % of the sum of squares is of the largest 1 %") {
			t.Errorf("%s: method %q, warnings %q", x.family, r.Method, r.Warnings)
		}
	}
	// A law has its own parameters back (0.02 is five standard errors and more),
	// and the replicates are refitted by the method.
	truth := dist.LogNormal{Mu: 3, Sigma: 0.4}
	r := mustFit(t, "log-normal", RunTime, NewSample(RunTime, draw(truth, 20000, 3, false)), Options{Method: MethodMoments, Replicates: 39, Intervals: 0.9, Seed: 1})
	near(t, "mu", parameter(t, r, "mu"), truth.Mu, 0.02)
	near(t, "sigma", parameter(t, r, "sigma"), truth.Sigma, 0.02)
	if r.KS.PValue < 0.01 || r.Intervals == nil {
		t.Errorf("p-value %g, intervals %v", r.KS.PValue, r.Intervals)
	}
	for _, o := range []Options{{Method: MethodMoments, Rounding: RoundedNearest}, {Method: MethodMoments, Max: 5}} {
		if _, err := Fit("gamma", RunTime, s, o); err == nil || !strings.Contains(err.Error(), "want no `rounding`") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := Fit("hyper-gamma", RunTime, s, Options{Method: MethodMoments}); err == nil || !strings.Contains(err.Error(), "want maximum-likelihood, for hyper-gamma") {
		t.Error(err)
	}
	if _, err := Fit("gamma", RunTime, NewSample(RunTime, []float64{7, 7, 7}), Options{Method: MethodMoments}); err == nil {
		t.Error("a Gamma of one value")
	}
}
