package score

import (
	"math"
	"testing"
)

// Of bounds of 600 s at 0.9, a wait of 0 s loses 60 s and one of 1200 s loses 540 s.
func TestBoundLossByHand(t *testing.T) {
	l := BoundLossTally{Quantile: 0.9}
	for _, x := range [][2]float64{{600, 0}, {600, 1200}, {math.NaN(), 1200}, {600, math.NaN()}, {math.Inf(1), 1}} {
		l.Add(x[0], x[1])
	}
	if r := l.Result(); !closeTo(r.QuantileLoss, 5) || !closeTo(r.BoundMedian, 10) {
		t.Errorf("%+v, want 5 and 10 min", r)
	}
	if r := new(BoundLossTally).Result(); !closeTo(r.QuantileLoss, math.NaN()) || !closeTo(r.BoundMedian, math.NaN()) {
		t.Errorf("%+v of none", r)
	}
}
