package judge

import (
	"math"
	"slices"
	"testing"
)

// Of medians 1.2, 3 and NaN between 0.5 and 2 the last two are misses, known or
// not. Known misses that are within their bounds, that are not judged and that have
// no row are faults.
func TestKnownMisses(t *testing.T) {
	var table Table
	for _, x := range []float64{1, 1.2, 9} {
		table.Add("within", .5, 2, x)
		table.Add("above", .5, 2, 3)
		table.Add("unknown", .5, 2, math.NaN())
		table.Show("shown", 100*x)
	}
	const (
		above   = "above: median 3.000, want 0.50 to 2.00"
		unknown = "unknown: median NaN, want 0.50 to 2.00"
		stale   = ": within its bounds or not judged, want it out of the known misses"
	)
	for _, c := range []struct{ known, want []string }{
		{nil, []string{above, unknown}},
		{[]string{"above", "unknown"}, nil},
		{[]string{"unknown"}, []string{above}},
		{[]string{"unknown", "above", "within"}, []string{"within" + stale}},
		{[]string{"unknown", "above", "shown"}, []string{"shown" + stale}},
		{[]string{"unknown", "above", "mistyped"}, []string{"mistyped" + stale}},
	} {
		if got := table.faults(c.known); !slices.Equal(got, c.want) {
			t.Errorf("known misses %q: faults %q, want %q", c.known, got, c.want)
		}
	}
}
