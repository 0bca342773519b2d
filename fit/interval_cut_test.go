package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// TestCutLaw: of ln t it is what dist.Ln with a limit is of t.
func TestCutLaw(t *testing.T) {
	cut := cutLaw{Law: batch(0.6), limit: 9.5}
	ln := dist.Ln{Inner: batch(0.6), MaxLn: 9.5}
	for _, x := range []float64{0.5, 3, 6, 9, 9.49, 9.5, 9.51, 12} {
		v := math.Exp(x)
		relative(t, "CDF", cut.CDF(x), ln.CDF(v), 1e-12)
		near(t, "survival", cut.Survival(x), ln.Survival(v), 1e-12)
		if x < 9.5 {
			near(t, "log-density", cut.LogPDF(x), ln.LogPDF(v)+x, 1e-12)
		} else if x > 9.5 && !math.IsInf(cut.LogPDF(x), -1) {
			t.Errorf("log-density above the limit is %g", cut.LogPDF(x))
		}
	}
	for _, p := range []float64{0, 0.01, 0.5, 0.99, 1} {
		near(t, "quantile", cut.Quantile(p), math.Log(max(1, ln.Quantile(p))), 1e-9)
	}
	// Nearly all of the law is above the limit: the draws must still end.
	rng := rand.New(rand.NewPCG(1, 1))
	far := cutLaw{Law: dist.Gamma{Shape: 100, Scale: 1}, limit: 50}
	for range 20 {
		if x := far.Rand(rng); !(x > 0 && x <= 50) {
			t.Errorf("draws %g, want one up to 50", x)
		}
	}
}
