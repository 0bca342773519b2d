package stats

import (
	"math"
	"testing"
)

// TestObjectiveLoss has values by hand.
func TestObjectiveLoss(t *testing.T) {
	e := math.E
	for _, c := range []struct {
		o                       Objective
		predicted, actual, want float64
	}{
		{ByAccuracy, 50, 100, 0.5}, {ByAccuracy, 100, 25, 0.75}, {ByAccuracy, 0, 0, 0}, {ByAccuracy, 0, 1, 1},
		{ByAbsolute, 50, 100, 50}, {ByAbsolute, 100, 25, 75}, {BySquared, 7, 10, 9}, {BySquared, 10, 7, 9},
		{ByLog, 0, e - 1, 1}, {ByLog, e*e*e - 1, e - 1, 4}, {ByLog, 3, 3, 0},
	} {
		if got := c.o.Loss(c.predicted, c.actual); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s.Loss(%g, %g) = %g, want %g", c.o, c.predicted, c.actual, got, c.want)
		}
	}
	if !math.IsNaN(Objective("none").Loss(1, 2)) || Objective("none").Valid() || !ByLog.Valid() {
		t.Error("an unknown objective has a loss")
	}
}

// TestObjectiveBest has values by hand.
func TestObjectiveBest(t *testing.T) {
	for _, c := range []struct {
		o               Objective
		values, weights []float64
		want            float64
	}{
		// Mean accuracies: for 1 (1 + 1/2 + 1/4)/3, for 2 (1/2 + 1 + 1/2)/3, for 4 the same as
		// for 1.
		{ByAccuracy, []float64{1, 2, 4}, []float64{1, 1, 1}, 2},
		{ByAccuracy, []float64{0, 10}, []float64{2, 1}, 0},
		{ByAccuracy, []float64{0, 10}, []float64{1, 2}, 10},
		{ByAccuracy, []float64{5}, []float64{0.1}, 5},
		{ByAbsolute, []float64{1, 2, 100}, []float64{1, 1, 1}, 2},
		{ByAbsolute, []float64{1, 2, 100}, []float64{1, 1, 3}, 100},
		{BySquared, []float64{1, 2, 6}, []float64{1, 1, 2}, 3.75},
		{ByLog, []float64{0, 3}, []float64{1, 1}, 1}, // 1 + t: 1 and 4, geometric mean 2
		{ByAbsolute, nil, nil, math.NaN()},
		{ByAccuracy, []float64{1, 2}, []float64{0, 0}, math.NaN()},
		{"none", []float64{1}, []float64{1}, math.NaN()},
	} {
		got := c.o.Best(c.values, c.weights)
		if math.Abs(got-c.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%s.Best(%v, %v) = %g, want %g", c.o, c.values, c.weights, got, c.want)
		}
	}
}
