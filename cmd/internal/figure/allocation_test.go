package figure

import (
	"bytes"
	"io"
	"math"
	"strings"
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

// One value, and values without a number among others, are drawn.
func TestThinPaths(t *testing.T) {
	for _, all := range [][]Path{
		{{"x", []float64{3}, []float64{-7}}},
		{{"x", []float64{1, 2, 3}, []float64{0, math.NaN(), math.Inf(1)}}},
		{{"x", []float64{0, 0}, []float64{0, 0}}},
	} {
		for _, end := range []float64{math.NaN(), math.Inf(1), 2} {
			x := all[0]
			ends := make([]float64, len(x.X))
			for i := range ends {
				ends[i] = end
			}
			if err := Varied(io.Discard, "svg", "", "load", "wait", []Trend{{x, ends, ends}}); err != nil {
				t.Errorf("%v: %v", x, err)
			}
		}
	}
	if err := PredictedWaits(io.Discard, "png", "", "bias", Waits{[]float64{5}, []float64{5}}); err != nil {
		t.Error(err)
	}
}

// The axis holds the intervals, and each is drawn: a line with two caps.
func TestIntervalsOfTrends(t *testing.T) {
	nan := math.NaN()
	strokes := func(low, high []float64) int {
		var b bytes.Buffer
		if err := Varied(&b, "svg", "", "load", "wait", []Trend{{Path{"x", []float64{1, 2}, []float64{5, 7}}, low, high}}); err != nil {
			t.Fatal(err)
		}
		if !texts(t, "trend", b.String())["-300"] {
			t.Error("no -300 on the axis")
		}
		return strings.Count(b.String(), "<path")
	}
	one := strokes([]float64{-300, nan}, []float64{20, nan})
	if both := strokes([]float64{-300, -200}, []float64{20, 20}); both != one+3 {
		t.Errorf("%d strokes with one interval, %d with two", one, both)
	}
}
