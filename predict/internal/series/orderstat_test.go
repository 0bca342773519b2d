package series

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The k-th smallest is that of the sorted values, whatever is added and dropped.
func TestOrderStat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o OrderStat
		var sorted []float64
		k := 0
		value := rapid.OneOf(rapid.Float64Range(-5, 5), rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) }))
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			if len(sorted) > 3 && rapid.IntRange(0, 20).Draw(t, "reset") == 0 {
				sorted = sorted[len(sorted)/2:]
				rand.New(rand.NewPCG(1, uint64(len(sorted)))).Shuffle(len(sorted), func(i, j int) { sorted[i], sorted[j] = sorted[j], sorted[i] })
				k = rapid.IntRange(0, len(sorted)).Draw(t, "k")
				o.Reset(sorted, k)
			} else {
				x := value.Draw(t, "x")
				sorted = append(sorted, x)
				k = rapid.IntRange(max(0, k-1), min(len(sorted), k+2)).Draw(t, "k")
				o.Add(x, k)
			}
			slices.Sort(sorted)
			if len(o.low) != k || len(o.low)+len(o.high) != len(sorted) {
				t.Fatalf("%d low and %d high of %d values, rank %d", len(o.low), len(o.high), len(sorted), k)
			}
			if k > 0 && o.Value() != sorted[k-1] {
				t.Fatalf("rank %d of %v is %g", k, sorted, o.Value())
			}
		}
	})
}
