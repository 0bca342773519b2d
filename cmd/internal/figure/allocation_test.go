package figure

import (
	"math"
	"testing"
)

// Four columns to a factor of ten: 1 to 1.78 s, 1.78 to 3.16 s, and so on.
func TestColumnLines(t *testing.T) {
	mean, median := columnLines(map[int][]float64{0: {9, 1, 2}, 3: {8, 4}})
	x0, x3 := math.Pow(10, 0.125), math.Pow(10, 0.875)
	for _, c := range []struct{ got, want float64 }{
		{mean.points[0].X, x0}, {mean.points[0].Y, 4}, {mean.points[1].X, x3}, {mean.points[1].Y, 6},
		{median.points[0].X, x0}, {median.points[0].Y, 2}, {median.points[1].Y, 6},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("got %g, want %g", c.got, c.want)
		}
	}
}
