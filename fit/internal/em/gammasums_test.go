package em

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// TestGammaShapeSolvesItsEquation, over shapes from 1e-3 to 1e9.
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

// TestGammaSumsMerge: one by one, in batches and merged agree.
func TestGammaSumsMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(1e-3, 1e3), 2, 40).Draw(t, "x")
		cut := rapid.IntRange(0, len(x)).Draw(t, "cut")
		var all, a, b GammaSums
		for i, v := range x {
			all.Add(v, 2)
			if i < cut {
				a.Add(v, 2)
			} else {
				b.Add(v, 2)
			}
		}
		a.Merge(b)
		for _, d := range []float64{a.W - all.W, (a.X - all.X) / (1 + all.X), (a.LnX - all.LnX) / (1 + math.Abs(all.LnX))} {
			if math.Abs(d) > 1e-12 {
				t.Fatalf("merged %+v, one by one %+v", a, all)
			}
		}
	})
}
