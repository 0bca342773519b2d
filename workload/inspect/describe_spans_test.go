package inspect

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// What is counted in stretches is what is counted over again in stretches of
// the width that they end with.
func TestSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := spans[int]{width: 10, limit: rapid.IntRange(2, 9).Draw(t, "limit"), join: func(a *int, b int) { *a += b }}
		times := rapid.SliceOfN(rapid.IntRange(-400, 2000), 1, 30).Draw(t, "times")
		for _, at := range times {
			*s.at(float64(at))++
		}
		if len(s.values) > s.limit {
			t.Fatalf("%d stretches, want %d at most", len(s.values), s.limit)
		}
		for i, got := range s.values {
			want := 0
			for _, at := range times {
				if math.Floor(float64(at)/s.width) == s.first+float64(i) {
					want++
				}
			}
			if got != want {
				t.Fatalf("times %v, width %v: stretch %v has %d, want %d", times, s.width, s.first+float64(i), got, want)
			}
		}
	})
}
