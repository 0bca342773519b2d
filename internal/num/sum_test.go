package num

import (
	"math"
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
	var other Sum
	other.Add(5)
	other.Merge(s)
	if other.Value() != 7 {
		t.Errorf("merged: %g, want 7", other.Value())
	}
	s.Add(math.Inf(1))
	s.Add(1)
	if !math.IsInf(s.Value(), 1) {
		t.Errorf("with an infinity: %g", s.Value())
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOf(rapid.Float64Range(-1e6, 1e6)).Draw(t, "x")
		cut := rapid.IntRange(0, len(x)).Draw(t, "cut")
		var whole, a, b Sum
		for i, v := range x {
			whole.Add(v)
			if i < cut {
				a.Add(v)
			} else {
				b.Add(v)
			}
		}
		a.Merge(b)
		if math.Abs(a.Value()-whole.Value()) > 1e-9 {
			t.Fatalf("merged %g, one by one %g", a.Value(), whole.Value())
		}
	})
}
