package stats

import (
	"math"
	"testing"
)

// By hand: 10 s too low costs 0.95 per second, 10 s too high 0.05.
func TestQuantileLossByHand(t *testing.T) {
	for _, c := range []struct{ q, predicted, actual, want float64 }{
		{0.95, 20, 30, 9.5},
		{0.95, 30, 20, 0.5},
		{0.95, 30, 30, 0},
		{0.5, 30, 10, 10},
		{0.25, 0, 8, 2},
	} {
		if got := QuantileLoss(c.q, c.predicted, c.actual); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %g", c, got)
		}
	}
	if got := QuantileLoss(0.5, math.NaN(), 1); !math.IsNaN(got) {
		t.Errorf("of NaN: %g", got)
	}
}

func TestCRPSByHand(t *testing.T) {
	for _, c := range []struct {
		sample       []float64
		actual, want float64
	}{
		{[]float64{7}, 10, 3},
		// mean |x-3| = 2; pairs |0-4| twice of four: mean 2, half of it 1.
		{[]float64{0, 4}, 3, 1},
		// mean |x-2| = (2+1+3)/3 = 2; pairs 1, 5 and 4, twice each, of nine: 20/9.
		{[]float64{0, 1, 5}, 2, 2 - 10./9},
	} {
		if got := CRPS(c.sample, c.actual); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v, %g: %g, want %g", c.sample, c.actual, got, c.want)
		}
	}
	if got := CRPS(nil, 1); !math.IsNaN(got) {
		t.Errorf("without values: %g", got)
	}
}
