package score

import (
	"math"
	"testing"
)

// Two clusters have two jobs each, with accuracies of 1/2 and 1 and, for another predictor, 0.4
// and 0.9: every draw loses 0.1. With 1/2 and 0.4, draws lose 0.1; with 1 and 0.2, they lose 0.8.
func TestDifferenceByHand(t *testing.T) {
	of := func(accuracies ...float64) (c Clusters) {
		for _, a := range accuracies {
			c = append(c, Sums{Predicted: 2, Held: 1, Accuracy: 2 * a})
		}
		return c
	}
	nan := math.NaN()
	for _, c := range []struct {
		name string
		a, b Clusters
		of   func(Sums) float64
		want Interval
	}{
		{"alike", of(0.5, 1), of(0.4, 0.9), Sums.AccuracyMean, Interval{-0.1, -0.1, -0.1}},
		{"apart", of(0.5, 1), of(0.4, 0.2), Sums.AccuracyMean, Interval{-0.45, -0.8, -0.1}},
		{"held", of(0.5, 1), of(0.4, 0.9), Sums.HeldShare, Interval{0, 0, 0}},
		{"one cluster", of(0.5), of(0.4), Sums.AccuracyMean, Interval{-0.1, nan, nan}},
		{"no correlation", of(0.5, 1), of(0.4, 0.9), Sums.CorrelationLog, Interval{nan, nan, nan}},
	} {
		got := Difference(c.a, c.b, c.of, 1000, 0.95, 1)
		if !alike(got.Mean, c.want.Mean) || !alike(got.Low, c.want.Low) || !alike(got.High, c.want.High) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
