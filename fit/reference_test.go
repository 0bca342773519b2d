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

// checkHyperGamma compares with SciPy's EM: it is to end as high or higher,
// and at the same law, which the likelihood tells less sharply.
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
				// Zeros are left out on both sides.
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

// TestIndependentValues holds the fits against the rounded figures of another
// independent program (SciPy 1.10, best of six starts), with the project's
// tolerances: line 1e-3, log-likelihood at least theirs less 0.5, D at most
// theirs plus 2e-3.
func TestIndependentValues(t *testing.T) {
	for _, tt := range []struct {
		log                        string
		status                     []int64
		n                          int64
		intercept, slope, rSquared float64
		nAbove                     int64
		ofLn, d                    float64
	}{
		{kth, nil, 28468, -0.11146, 0.09446, 0.98675, 28273, -65912.02, 0.04246},
		{kth, []int64{1}, 20524, -0.11185, 0.09847, 0.98861, 20334, -46687.3, 0.04306},
		{sdsc, nil, 32128, 0.04168, 0.07549, 0.95096, 32085, -67352.81, 0.02819},
		{sdsc, []int64{1}, 31314, 0.04927, 0.07554, 0.94902, 31271, -64982.96, 0.02639},
		{nasa, nil, 18066, -0.39438, 0.19647, 0.97981, 18034, -35568.57, 0.02973},
		{lcg, nil, 187520, -0.34109, 0.13309, 0.88548, 187153, -366622.4, 0.06338},
	} {
		s := collectLog(t, tt.log, tt.status...).Sample(RunTime)
		u := mustFit(t, "uniform-log", RunTime, s, Options{})
		if u.N != tt.n {
			t.Errorf("%s: uniform-log of %d jobs, want %d", tt.log, u.N, tt.n)
		}
		near(t, tt.log+": intercept", parameter(t, u, "intercept"), tt.intercept, 1e-3)
		near(t, tt.log+": slope", parameter(t, u, "slope"), tt.slope, 1e-3)
		near(t, tt.log+": R²", parameter(t, u, "r_squared"), tt.rSquared, 1e-3)
		h := mustFit(t, "hyper-gamma", RunTime, s, Options{})
		if h.N != tt.nAbove {
			t.Errorf("%s: hyper-gamma of %d jobs, want %d", tt.log, h.N, tt.nAbove)
		}
		if h.LogLikelihoodTransformed < tt.ofLn-0.5 {
			t.Errorf("%s: log-likelihood is %.2f, want at least %.2f", tt.log, h.LogLikelihoodTransformed, tt.ofLn-0.5)
		}
		if h.KS.D > tt.d+2e-3 {
			t.Errorf("%s: D is %.5f, want at most %.5f", tt.log, h.KS.D, tt.d+2e-3)
		}
	}
}
