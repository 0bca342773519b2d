package stats

import (
	"math"
	"testing"
)

// By hand: for 1, 2, 3 and 4 the mean absolute difference over all 16 ordered pairs is 2 (3·1 +
// 2·2 + 1·3) / 16 = 1.25; half of it over the mean 2.5 is 0.25.
func TestGini(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{4, 1, 3, 2}, 0.25},
		{[]float64{7, 7, 7}, 0},
		{[]float64{0, 0, 0, 5}, 0.75},
		{[]float64{3}, 0},
		{nil, math.NaN()},
		{[]float64{0, 0}, math.NaN()},
	} {
		if got := Gini(c.x); math.Abs(got-c.want) > 1e-15 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%v: %g, want %g", c.x, got, c.want)
		}
	}
}
