package stats

import (
	"math"
	"slices"
	"testing"
)

func TestDistinct(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct{ x, values, counts []float64 }{
		{nil, nil, nil},
		{[]float64{nan}, nil, nil},
		{[]float64{3, 1, 3, nan, 2, 3}, []float64{1, 2, 3}, []float64{1, 1, 3}},
		{[]float64{0, math.Copysign(0, -1)}, []float64{0}, []float64{2}},
		{[]float64{0.5, math.Copysign(0, -1), 0}, []float64{0, 0.5}, []float64{2, 1}},
		{[]float64{-1, 5, -1}, []float64{-1, 5}, []float64{2, 1}},
		{[]float64{inf, 1, -inf, inf}, []float64{-inf, 1, inf}, []float64{1, 1, 2}},
		{[]float64{1e9, 1e9, 7}, []float64{7, 1e9}, []float64{1, 2}},
	} {
		before := slices.Clone(c.x)
		values, counts := Distinct(c.x)
		if !slices.Equal(values, c.values) || !slices.Equal(counts, c.counts) {
			t.Errorf("Distinct(%v) = %v, %v; want %v, %v", c.x, values, counts, c.values, c.counts)
		}
		for i := range before {
			if c.x[i] != before[i] && before[i] == before[i] {
				t.Errorf("Distinct changed its argument to %v", c.x)
			}
		}
		if len(values) > 0 && math.Signbit(values[0]) && values[0] == 0 {
			t.Error("a negative zero")
		}
	}
}
