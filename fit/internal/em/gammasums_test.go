package em

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// TestGammaShapeSolvesItsEquation covers shapes from 1e-3 to 1e9.
func TestGammaShapeSolvesItsEquation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := math.Exp(rapid.Float64Range(math.Log(1e-3), math.Log(1e9)).Draw(t, "ln shape"))
		got := gammaShape(num.LnMinusDigamma(want))
		if !(math.Abs(got-want) <= 1e-9*want) {
			t.Fatalf("shape is %.15g, want %.15g", got, want)
		}
	})
	for _, s := range []float64{0, -1, math.NaN()} {
		if a := gammaShape(s); !math.IsInf(a, 1) {
			t.Errorf("shape of spread %g is %g, want +Inf", s, a)
		}
	}
}
