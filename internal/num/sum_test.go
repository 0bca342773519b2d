package num

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestSum(t *testing.T) {
	var s Sum
	for _, x := range []float64{1, 1e100, 1, -1e100} {
		s.Add(x)
	}
	if s.Value() != 2 {
		t.Errorf("1 + 1e100 + 1 - 1e100 = %g, want 2", s.Value())
	}
	s.Add(math.Inf(1))
	s.Add(1)
	if !math.IsInf(s.Value(), 1) {
		t.Errorf("with an infinity: %g", s.Value())
	}
}

// Sums of numbers as in a log, and of their products, added one by one and merged, agree with the
// exact result by math/big, rounded once.
func TestSumOfProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64Range(0, 1e10), rapid.Map(rapid.Int64Range(0, 1<<40), func(n int64) float64 { return float64(n) }))
		want := new(big.Float).SetPrec(2000)
		var parts [3]Sum
		for range rapid.IntRange(0, 200).Draw(t, "n") {
			part := &parts[rapid.IntRange(0, 2).Draw(t, "part")]
			x, y := number.Draw(t, "x"), 1.0
			if rapid.Bool().Draw(t, "product") {
				y = number.Draw(t, "y")
				part.AddProduct(x, y)
			} else {
				part.Add(x)
			}
			p := new(big.Float).SetPrec(2000).SetFloat64(x)
			want.Add(want, p.Mul(p, big.NewFloat(y)))
		}
		parts[0].Merge(parts[1])
		parts[0].Merge(parts[2])
		if w, _ := want.Float64(); parts[0].Value() != w {
			t.Fatalf("%.17g, want %.17g", parts[0].Value(), w)
		}
	})
}
