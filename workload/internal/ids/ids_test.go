package ids

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// A Set says the same as a map while it has room; when it has not, what it
// is sure of is still so, and it is sure of all that ascends.
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
