package fit

import (
	"math"
	"testing"
)

func checkUniformLog(t *testing.T, s Sample, want uniformLogReference) {
	t.Helper()
	trim := want.Trim
	if trim == 0 {
		trim = -1
	}
	r := mustFit(t, "uniform-log", RunTime, s, Options{Trim: trim})
	if r.N != want.N {
		t.Errorf("n is %d, want %d", r.N, want.N)
	}
	near(t, "intercept", parameter(t, r, "intercept"), want.Intercept, 1e-10)
	near(t, "slope", parameter(t, r, "slope"), want.Slope, 1e-10)
	near(t, "R²", parameter(t, r, "r_squared"), want.RSquared, 1e-10)
	relative(t, "tmin", parameter(t, r, "t_min_s"), want.TMin, 1e-8)
	relative(t, "tmax", parameter(t, r, "t_max_s"), want.TMax, 1e-8)
}

// checkHyperGamma compares with SciPy's EM: the fit must reach the same or a higher likelihood,
// and the same law, for which the tolerance is wider.
func checkHyperGamma(t *testing.T, s Sample, a Attribute, want hyperGammaReference) {
	t.Helper()
	r := mustFit(t, "hyper-gamma", a, s, Options{})
	if r.Status != Converged {
		t.Errorf("status is %s after %d iterations, want converged", r.Status, r.Iterations)
	}
	if r.N != want.N {
		t.Errorf("n is %d, want %d", r.N, want.N)
	}
	if r.LogLikelihoodTransformed < want.OfLn-1e-5 {
		t.Errorf("log-likelihood of ln is %.6f, want at least %.6f", r.LogLikelihoodTransformed, want.OfLn)
	}
	near(t, "log-likelihood of ln", r.LogLikelihoodTransformed, want.OfLn, 0.01)
	near(t, "log-likelihood of seconds", float64(r.LogLikelihood), want.OfSeconds, 0.01)
	near(t, "D", r.KS.D, want.KSDistance, 1e-5)
	relative(t, "AIC", float64(r.AIC), 2*5-2*want.OfSeconds, 1e-7)
	relative(t, "BIC", float64(r.BIC), 5*math.Log(float64(want.N))-2*want.OfSeconds, 1e-7)
	for i, name := range []string{"shape_1", "scale_1", "shape_2", "scale_2", "p"} {
		relative(t, name, parameter(t, r, name), want.Parameters[i], 5e-4)
	}
}

func TestSamplesAgreeWithSciPy(t *testing.T) {
	for _, ref := range readReference(t).Samples {
		s := NewSample(RunTime, ref.Seconds)
		for _, want := range ref.UniformLog {
			if want.Trim == 0 && s.Jobs() != int64(len(ref.Seconds)) {
				// Both fits leave out zeros.
				if want.N != s.Jobs() {
					t.Errorf("%d jobs, want %d", s.Jobs(), want.N)
				}
			}
			checkUniformLog(t, s, want)
		}
		checkHyperGamma(t, s, RunTime, ref.HyperGamma)
		g := mustFit(t, "gamma", RunTime, s, Options{})
		relative(t, "shape", parameter(t, g, "shape"), ref.Gamma[0], 1e-9)
		relative(t, "scale", parameter(t, g, "scale"), ref.Gamma[1], 1e-9)
		relative(t, "log-likelihood of ln", g.LogLikelihoodTransformed, ref.GammaOfLn, 1e-9)
	}
}

func TestLogsAgreeWithSciPy(t *testing.T) {
	for name, labels := range readReference(t).Logs {
		for label, want := range labels {
			t.Run(name+"/"+label, func(t *testing.T) {
				var status []int64
				if label == "status_1" {
					status = []int64{1}
				}
				c := collectLog(t, name, status...)
				s := c.Sample(RunTime)
				for _, w := range want.UniformLog {
					checkUniformLog(t, s, w)
				}
				checkHyperGamma(t, s, RunTime, want.HyperGamma)
				if want.Work != nil {
					checkHyperGamma(t, c.Sample(Work), Work, *want.Work)
				}
			})
		}
	}
}
