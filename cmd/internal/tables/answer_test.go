package tables

import (
	"math"
	"testing"
)

func TestDuration(t *testing.T) {
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
		if got := duration(c.seconds); got != c.want {
			t.Errorf("%g s: got %q, want %q", c.seconds, got, c.want)
		}
	}
}
