package figure

import (
	"math"
	"testing"

	"gonum.org/v1/plot"
)

func TestRemainingRange(t *testing.T) {
	s := newSheet("", "", "", "")
	s.X.Scale, s.Y.Scale = plot.LogScale{}, plot.LogScale{}
	log := Remaining{Age: []float64{1, 10, 1000, 5000}, Median: []float64{10, 100, 40, 0}, Mean: []float64{20, 90, math.NaN(), math.NaN()}}
	// Of the model, 5 and 300 are near the log's 10 to 100, and 0.9 and 1001
	// are not; 4 is at an age that the log has not.
	fit := Remaining{Age: []float64{1, 2, 10, 1000, 0.5}, Median: []float64{5, 0.9, 300, 1001, 4}}
	if err := s.remainingRange(log, []Remaining{fit}); err != nil {
		t.Fatal(err)
	}
	if s.X.Min != 1 || s.X.Max != 1000 || !agree(s.Y.Min, 5/1.2) || !agree(s.Y.Max, 300*1.2) {
		t.Errorf("ages %v to %v, lifetimes %v to %v", s.X.Min, s.X.Max, s.Y.Min, s.Y.Max)
	}
}

func TestRemainingCurves(t *testing.T) {
	got := Remaining{Name: "x", Age: []float64{1, 2}, Mean: []float64{30, 40}}.curves()
	if got[0].points != nil || got[1].name != "x, mean" || len(got[1].points) != 2 || got[1].points[1].X != 2 || got[1].points[1].Y != 40 {
		t.Errorf("curves %v", got)
	}
}
