package em

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
)

// TestAtLimit: the probability below a limit is the law's distribution function
// there, whether the limit is in the lower tail, at the mode or in the upper tail.
func TestAtLimit(t *testing.T) {
	law := dist.Gamma{Shape: 9, Scale: 0.9}
	kernel := Gammas{Resolution: func(float64) float64 { return 0 }}
	for _, limit := range []float64{1, 4, 8.1, 9, 20, 40} {
		m := Mixture[dist.Gamma]{Points: points.New([]float64{0.5}, []float64{1}), Kernel: kernel, Limit: limit}
		above, below := m.atLimit(kernel.Density(law))
		if want := law.CDF(limit); !(math.Abs(below-want) <= 1e-11*want) {
			t.Errorf("below %g is %.15g, want %.15g", limit, below, want)
		}
		if got, want := math.Exp(above.LnMass), law.Survival(limit); !(math.Abs(got-want) <= 1e-11*want) {
			t.Errorf("above %g is %.15g, want %.15g", limit, got, want)
		}
	}
}
