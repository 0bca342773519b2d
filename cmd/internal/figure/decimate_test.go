package figure

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// Ten thousand points over 400 columns are 25 a column: the first two columns,
// with a peak, a trough and a break, are known by hand.
func TestDecimatedKeepsWhatIsSeen(t *testing.T) {
	s := newSheet("", "", "", "")
	s.X.Min, s.X.Max, s.Y.Min, s.Y.Max = 0, 10000, -10, 10
	points := make(plotter.XYs, 10000)
	for i := range points {
		points[i].X = float64(i)
	}
	points[7].Y, points[3].Y = 9, -4 // in the first column
	points[29].Y = 5                 // in the second, before a break
	points[31].Y, points[32].Y = math.NaN(), math.NaN()
	got := s.decimated(points)
	var xs []float64
	for _, p := range got[:7] {
		xs = append(xs, p.X)
	}
	if want := []float64{0, 3, 7, 24, 25, 29, 30}; !slices.Equal(xs, want) {
		t.Errorf("kept %v, want %v", xs, want)
	}
	if !math.IsNaN(got[7].Y) || got[8].X != 33 {
		t.Errorf("the break is %v, %v", got[7], got[8])
	}
	if n := len(got); n > 4*lineColumns+1 {
		t.Errorf("%d points are left", n)
	}
	if short := points[:mostPoints]; len(s.decimated(short)) != mostPoints {
		t.Error("a short line is cut")
	}
	// A line of breaks only stays empty.
	for i := range points {
		points[i].Y = math.NaN()
	}
	if err := s.addCurve(series{name: "nothing", points: points}, dataStyle()); err == nil {
		t.Error("no error of a line without a number")
	}
}
