package heap

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// A heap returns the same items as a sorted list, one by one.
func TestHeapAgainstASortedList(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var h Heap[string]
	var list []Item[string]
	for i := range 5000 {
		e := Item[string]{float64(rng.IntN(20)), int64(rng.IntN(1000)*5000 + i), "x"}
		switch n := rng.IntN(5); {
		case n < 3 || len(list) == 0:
			h.Push(e)
			list = append(list, e)
		case n == 3:
			if got := h.Pop(); got != list[0] {
				t.Fatalf("step %d: popped %v, want %v", i, got, list[0])
			}
			list = list[1:]
		default:
			h.Replace(e)
			list[0] = e
		}
		slices.SortFunc(list, func(a, b Item[string]) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Seq, b.Seq)) })
		if len(h) != len(list) || len(h) > 0 && h[0] != list[0] {
			t.Fatalf("step %d: %d items, first %v; want %d, %v", i, len(h), h[:min(1, len(h))], len(list), list[:min(1, len(list))])
		}
	}
}
