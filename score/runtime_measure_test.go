package score

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// squares is the root of the mean squared error, made of one sum.
var squares = RunTimeMeasure{Name: "root_mean_squared_error_s", Lower: true, Sums: 1,
	Add: func(sums []float64, predicted, actual float64) {
		sums[0] += (predicted - actual) * (predicted - actual)
	},
	Value: func(sums []float64, n int) float64 { return math.Sqrt(sums[0] / float64(n)) }}

// A measure is of the jobs that have a prediction and a run time.
func TestRunTimeMeasure(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tally := NewRunTimeMeasureTally(squares)
		sum, n := 0.0, 0
		for range rapid.IntRange(0, 20).Draw(rt, "jobs") {
			predicted := rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), 0, 1, 10, 100}).Draw(rt, "predicted")
			actual := rapid.SampledFrom([]float64{math.NaN(), 0, 1, 50}).Draw(rt, "actual")
			tally.Add(predicted, actual)
			if predicted <= 100 && actual >= 0 {
				sum, n = sum+math.Pow(predicted-actual, 2), n+1
			}
		}
		got, want := tally.Value(), math.Sqrt(sum/float64(n))
		if !(math.Abs(got-want) <= 1e-12*want || n == 0 && math.IsNaN(got)) {
			rt.Fatalf("%g, want %g", got, want)
		}
	})
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
