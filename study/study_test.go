package study

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
)

func TestIntervalByHand(t *testing.T) {
	nan := math.NaN()
	// Mean 3, standard deviation sqrt(2.5), t of 4 degrees 2.776445.
	v := IntervalOf([]float64{1, 2, nan, 3, 4, 5})
	half := 2.7764451051977987 * math.Sqrt(2.5/5)
	if v.Seeds != 5 || v.Mean != 3 || math.Abs(float64(v.High)-3-half) > 1e-9 || math.Abs(3-float64(v.Low)-half) > 1e-9 {
		t.Errorf("got %+v", v)
	}
	if v := IntervalOf([]float64{7}); v.Mean != 7 || !math.IsNaN(float64(v.Low)) {
		t.Errorf("of one value %+v", v)
	}
	if v := IntervalOf(nil); !math.IsNaN(float64(v.Mean)) {
		t.Errorf("of none %+v", v)
	}
}

// An interval is shown as mean ± half its width, or by its ends if it was truncated.
func TestShow(t *testing.T) {
	const share, minutes = "%.1f", "%.2f/60"
	for _, c := range []struct {
		verb                 string
		mean, half, low, top float64
		want                 string
	}{
		{share, 4.7, 3.5, 1.2, 8.2, "4.7 ±3.5"},
		{share, 4.7, 12, 0, 16.7, "4.7 (0.0 to 16.7)"},
		{share, 90, 30, 60, 100, "90.0 (60.0 to 100.0)"},
		{share, 4.7, math.NaN(), math.NaN(), math.NaN(), "4.7"},
		{share, 100, 1e-13, 100 - 1e-13, 100, "100.0 ±0.0"},
		{share, math.NaN(), math.NaN(), math.NaN(), math.NaN(), "-"},
		{minutes, 90, 120, 0, 210, "1.50 (0.00 to 3.50)"},
		{minutes, 90, 120, -30, 210, "1.50 ±2.00"},
	} {
		if got := (Interval{Mean: stats.Number(c.mean), Half: stats.Number(c.half), Low: stats.Number(c.low), High: stats.Number(c.top)}).Show(c.verb); got != c.want {
			t.Errorf("%g, %g to %g: %q, want %q", c.mean, c.low, c.top, got, c.want)
		}
	}
}
