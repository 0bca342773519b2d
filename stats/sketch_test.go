package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSketch compares the buckets with the values themselves, over sixty decades of either
// sign.
func TestSketch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	whole := Quantiles{Exact: 1}
	var values []float64
	for i := range 20_000 {
		x := math.Exp(140 * (rng.Float64() - 0.5))
		switch {
		case i%50 == 0:
			x = 0
		case i%3 == 0:
			x = -x
		}
		values = append(values, x)
		whole.Add(x)
	}
	slices.Sort(values)
	if whole.N() != len(values) {
		t.Fatalf("%d values, want %d", whole.N(), len(values))
	}
	for i := range 200 {
		p := float64(i) / 199
		want, got := Quantile(values, p), whole.Quantile(p)
		if math.Abs(got-want) > RelativeError*math.Abs(want) {
			t.Errorf("quantile %g is %g, want %g to %g", p, got, want, RelativeError)
		}
	}
	some := []float64{math.Inf(-1), -1, 0, 1, 3600, math.Inf(1)}
	for range 50 {
		some = append(some, values[rng.IntN(len(values))])
	}
	for _, x := range some {
		low := shareUpTo(values, x)
		high := shareUpTo(values, x+math.Abs(x)*2*RelativeError)
		if got := whole.AtMost(x); !(got >= low && got <= high) {
			t.Errorf("a share of %g is at most %g, want %g to %g", got, x, low, high)
		}
	}
}

// shareUpTo is the share of ascending values that are x or less.
func shareUpTo(values []float64, x float64) float64 {
	n := 0
	for _, v := range values {
		if v <= x {
			n++
		}
	}
	return float64(n) / float64(len(values))
}
