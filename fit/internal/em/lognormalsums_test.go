package em

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestLogNormalSumsMerge: one by one, in batches and merged agree, and with
// the sums of squares by hand.
func TestLogNormalSumsMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(1e-3, 1e9), 2, 40).Draw(t, "x")
		cut := rapid.IntRange(0, len(x)).Draw(t, "cut")
		var all, a, b LogNormalSums
		mean := 0.0
		for i, v := range x {
			all.Add(v, 2)
			mean += math.Log(v) / float64(len(x))
			if i < cut {
				a.Add(v, 2)
			} else {
				b.Add(v, 2)
			}
		}
		a.Merge(b)
		squares := 0.0
		for _, v := range x {
			squares += 2 * (math.Log(v) - mean) * (math.Log(v) - mean)
		}
		for _, s := range []LogNormalSums{all, a} {
			if s.W != 2*float64(len(x)) || math.Abs(s.Mean-mean) > 1e-12*(1+math.Abs(mean)) || math.Abs(s.Squares-squares) > 1e-11*(1+squares) {
				t.Fatalf("sums are %+v, want mean %g and squares %g", s, mean, squares)
			}
		}
	})
}
