package score

import (
	"math"
	"testing"
)

// squares is the root of the mean squared error, made of one sum.
var squares = RunTimeMeasure{Name: "root_mean_squared_error_s", Lower: true, Sums: 1,
	Add: func(sums []float64, predicted, actual float64) {
		sums[0] += (predicted - actual) * (predicted - actual)
	},
	Value: func(sums []float64, n int) float64 { return math.Sqrt(sums[0] / float64(n)) }}

// A measure is of the jobs that have a prediction and a run time: errors of 3 and 4 s.
func TestRunTimeMeasure(t *testing.T) {
	tally := NewRunTimeMeasureTally(squares)
	if x := tally.Value(); !math.IsNaN(x) {
		t.Errorf("%g of nothing", x)
	}
	for _, p := range [][2]float64{{3, 0}, {math.NaN(), 1}, {math.Inf(1), 1}, {1, math.NaN()}, {6, 10}} {
		tally.Add(p[0], p[1])
	}
	if got, want := tally.Value(), math.Sqrt(12.5); got != want {
		t.Errorf("%g, want %g", got, want)
	}
}

func TestRunTimeMeasureRefuses(t *testing.T) {
	for _, name := range []string{"", "Loss", "loss s", "2_loss"} {
		m := squares
		m.Name = name
		if m.Validate() == nil {
			t.Errorf("%q is a name", name)
		}
	}
	m := squares
	m.Sums = 0
	if m.Validate() == nil || squares.Validate() != nil {
		t.Error("no sums")
	}
}
