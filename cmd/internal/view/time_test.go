package view

import (
	"math"
	"testing"
)

// A column's unit is the largest unit of which its median is at least two; unknown values and zeros
// are ignored.
func TestTimeUnitOf(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		seconds []float64
		x       float64
		want    string
	}{
		{nil, 5, "5 s"},
		{[]float64{nan, 0}, nan, "-"},
		{[]float64{119}, 119, "119 s"},
		{[]float64{120}, 90, "1.500 min"},
		{[]float64{7199}, 7200, "120 min"},
		{[]float64{7200, 7200, 60}, 60, "0.01667 h"},
		{[]float64{-9e6, 0, 0, 0, nan}, -172800, "-2 d"},
		{[]float64{2809 * 60}, 2809 * 60, "46.82 h"},
		{[]float64{8106 * 60}, 8106 * 60, "5.629 d"},
	} {
		if got := TimeUnitOf(c.seconds...).Write(c.x); got != c.want {
			t.Errorf("%g s in the unit of %v: got %q, want %q", c.x, c.seconds, got, c.want)
		}
	}
}

func TestWait(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		want    string
	}{
		{0, "0 min"},
		{0.0003382 * 60, "< 1 s"}, // was 0.0003382 min
		{1, "1 s"},
		{42.4, "42 s"},
		{59.4, "59 s"},
		{59.6, "1 min"},
		{60, "1 min"},
		{90, "1.500 min"},
		{7200, "2 h"}, // was 120 min
		{172800, "2 d"},
		{math.NaN(), "-"},
	} {
		if got := Wait(c.seconds); got != c.want {
			t.Errorf("%g s: got %q, want %q", c.seconds, got, c.want)
		}
	}
}
