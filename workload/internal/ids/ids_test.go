package ids

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A Set agrees with a map as long as it has room. When it is full, its definite answers are still
// correct, and answers for ascending numbers are definite.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{1, 5, 1000}).Draw(t, "limit")
		set, seen := New(), map[int64]bool{}
		set.MaxBlocks = limit
		blocks := map[int64]bool{}
		id := rapid.OneOf(rapid.Int64Range(0, 300), rapid.Int64Range(-5000, 5000), rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64 + 1, -1, 0}))
		top := int64(math.MinInt64)
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			x := id.Draw(t, "id")
			blocks[x>>6] = true
			in, isSure := set.Add(x)
			if isSure && in != seen[x] || !isSure && len(blocks) <= limit || !isSure && x >= top {
				t.Fatalf("Add(%d) is %v, %v; seen: %v", x, in, isSure, seen[x])
			}
			seen[x], top = true, max(top, x)
		}
	})
}
