package stats

import (
	"math"
	"testing"
)

func TestAccuracy(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct{ predicted, actual, want float64 }{
		{10, 20, 0.5}, {20, 10, 0.5}, {7, 7, 1}, {0, 0, 1}, {0, 5, 0}, {5, 0, 0}, {-1, 5, 0}, {inf, 5, 0}, {inf, inf, 1}, {nan, 1, nan}, {1, nan, nan},
	} {
		if got := Accuracy(c.predicted, c.actual); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Accuracy(%g, %g) = %g, want %g", c.predicted, c.actual, got, c.want)
		}
	}
}
