package predict

import (
	"math"
	"testing"
)

func TestAscend(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ quantiles, seconds, want []float64 }{
		{[]float64{0.5, 0.8, 0.95}, []float64{10, 20, 30}, []float64{10, 20, 30}},
		{[]float64{0.5, 0.8, 0.95}, []float64{40, 20, 30}, []float64{40, 40, 40}},
		{[]float64{0.95, 0.5, 0.8}, []float64{30, 10, 50}, []float64{50, 10, 50}}, // in any order
		{[]float64{0.5, 0.8, 0.95}, []float64{40, nan, 30}, []float64{40, nan, 40}},
		{[]float64{0.5, 0.8, 0.95}, []float64{nan, 20, math.Inf(1)}, []float64{nan, 20, math.Inf(1)}},
	} {
		bounds := make([]Bound, len(c.seconds))
		for i := range bounds {
			bounds[i] = NoBound()
			bounds[i].Quantile, bounds[i].Seconds = c.quantiles[i], c.seconds[i]
		}
		Ascend(bounds)
		for i, b := range bounds {
			if w := c.want[i]; b.Seconds != w && !(math.IsNaN(w) && math.IsNaN(b.Seconds)) {
				t.Errorf("%v at %v: bound %d is %g, want %g", c.seconds, c.quantiles, i, b.Seconds, w)
			}
		}
	}
}
