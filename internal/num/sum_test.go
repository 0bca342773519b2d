package num

import (
	"math"
	"testing"
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
