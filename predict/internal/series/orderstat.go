package series

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// OrderStat keeps the k-th smallest of a growing set of values at hand: low is
// the k smallest, negated, high the others, both heaps with the smallest on top,
// so that the largest of the k is on top of low. A value costs O(log n) as long
// as k grows no faster than the set.
type OrderStat struct {
	low, high values
}

type values = heap.Times[struct{}]

func of(x float64) heap.Time[struct{}] { return heap.Time[struct{}]{At: x} }

// Value returns the k-th smallest, which there must be.
func (o *OrderStat) Value() float64 { return -o.low[0].At }

// Add adds a value; k is the rank wanted of the larger set, from 0 (none).
func (o *OrderStat) Add(x float64, k int) {
	if len(o.low) > 0 && x < o.Value() {
		o.low.Push(of(-x))
	} else {
		o.high.Push(of(x))
	}
	for len(o.low) < k {
		o.low.Push(of(-o.high.Pop().At))
	}
	for len(o.low) > k {
		o.high.Push(of(-o.low.Pop().At))
	}
}

// Reset makes it the set of those values, with rank k.
func (o *OrderStat) Reset(all []float64, k int) {
	sorted := slices.Sorted(slices.Values(all))
	o.low, o.high = o.low[:0], o.high[:0]
	for _, x := range slices.Backward(sorted[:k]) { // and what it negates ascends
		o.low = append(o.low, of(-x))
	}
	for _, x := range sorted[k:] { // ascending is a heap already
		o.high = append(o.high, of(x))
	}
}
