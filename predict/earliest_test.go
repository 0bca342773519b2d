package predict

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// On random functions that do not decrease, with steep and flat parts and
// jumps, the result is where the target is reached and nothing before it is.
func TestEarliest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		knots := rapid.SliceOfN(rapid.Float64Range(-1, 22), 2, 8).Draw(t, "ln_t")
		slices.Sort(knots)
		levels := []float64{0}
		for range knots[1:] {
			// Whole levels, so that the target often equals a flat part's.
			levels = append(levels, levels[len(levels)-1]+float64(rapid.IntRange(0, 3).Draw(t, "rise")))
		}
		calls := 0
		f := func(x float64) float64 {
			calls++
			l := math.Log(x)
			for i := len(knots) - 1; i >= 0; i-- {
				if l < knots[i] {
					continue
				}
				if i == len(knots)-1 {
					return levels[i]
				}
				w := (l - knots[i]) / (knots[i+1] - knots[i])
				return levels[i] + w*(levels[i+1]-levels[i])
			}
			return levels[0]
		}
		target := rapid.OneOf(
			rapid.Float64Range(0.01, levels[len(levels)-1]+1),
			rapid.Map(rapid.IntRange(1, 12), func(i int) float64 { return float64(i) }),
		).Draw(t, "target")
		got := earliest(f, target)
		if calls > 120 {
			t.Fatalf("%d calls", calls)
		}
		switch {
		case f(Longest) < target:
			if got != Longest {
				t.Fatalf("%g, want Longest: the target is not reached", got)
			}
		case f(Shortest) >= target:
			if got != Shortest {
				t.Fatalf("%g, want Shortest: the target is reached before", got)
			}
		default:
			if f(got*(1+1e-9)) < target {
				t.Fatalf("f(%g) = %g < %g", got, f(got), target)
			}
			if f(got*(1-1e-9)) >= target {
				t.Fatalf("f is %g already before %g", f(got*(1-1e-9)), got)
			}
		}
	})
}
