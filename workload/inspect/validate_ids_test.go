package inspect

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// An idSet says the same as a map while it has room; when it has not, what it
// is sure of is still so, and it is sure of all that ascends.
func TestIDSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{1, 5, 1000}).Draw(t, "limit")
		set, seen := newIDSet(limit), map[int64]bool{}
		blocks := map[int64]bool{}
		id := rapid.OneOf(rapid.Int64Range(0, 300), rapid.Int64Range(-5000, 5000), rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64 + 1, -1, 0}))
		top := int64(math.MinInt64)
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			x := id.Draw(t, "id")
			blocks[x>>6] = true
			in, sure := set.add(x)
			if sure && in != seen[x] || !sure && len(blocks) <= limit || !sure && x >= top {
				t.Fatalf("add(%d) is %v, %v; seen: %v", x, in, sure, seen[x])
			}
			seen[x], top = true, max(top, x)
		}
	})
}

// An id that a full set cannot tell is counted, not guessed.
func TestTooManyIDs(t *testing.T) {
	var text strings.Builder
	for _, id := range []int{1, 1000, 2000, 3000, 2000, 1000} {
		fmt.Fprintf(&text, "%d 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", id)
	}
	log := open(t, text.String())
	v := newValidator(log, ValidateOptions{Rules: []string{"job-*"}})
	v.ids.limit = 2
	got, err := v.run(log.Batches())
	if err != nil {
		t.Fatal(err)
	}
	// 2000 is not remembered; that 1000 comes twice is.
	want := "1 ids not checked: they do not ascend, and there are too many to remember"
	f := got.Findings[0]
	if f.Rule != "job-duplicate" || f.Count != 1 || f.Note != want {
		t.Errorf("got %+v", got)
	}
}
