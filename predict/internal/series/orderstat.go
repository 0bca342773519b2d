package series

import "slices"

// OrderStat keeps the k-th smallest of a growing set of values at hand: low is
// the k smallest, negated, high the others, both heaps with the smallest on top,
// so that the largest of the k is on top of low. A value costs O(log n) as long
// as k grows no faster than the set.
type OrderStat struct {
	low, high []float64
}

// Value returns the k-th smallest, which there must be.
func (o *OrderStat) Value() float64 { return -o.low[0] }

// Add adds a value; k is the rank wanted of the larger set, from 0 (none).
func (o *OrderStat) Add(x float64, k int) {
	if len(o.low) > 0 && x < o.Value() {
		o.low = push(o.low, -x)
	} else {
		o.high = push(o.high, x)
	}
	for len(o.low) < k {
		o.low = push(o.low, -o.high[0])
		o.high = pop(o.high)
	}
	for len(o.low) > k {
		o.high = push(o.high, -o.low[0])
		o.low = pop(o.low)
	}
}

// Reset makes it the set of those values, with rank k.
func (o *OrderStat) Reset(values []float64, k int) {
	o.low = append(o.low[:0], values...)
	slices.Sort(o.low)
	o.high = append(o.high[:0], o.low[k:]...) // ascending is a heap already
	o.low = o.low[:k]
	slices.Reverse(o.low) // and what it negates ascends
	for i, x := range o.low {
		o.low[i] = -x
	}
}

// push and pop are not internal/heap's, whose items take three times the memory:
// each predictor has every wait of a log here.
func push(h []float64, x float64) []float64 {
	h = append(h, x)
	i := len(h) - 1
	for i > 0 && x < h[(i-1)/2] {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = x
	return h
}

func pop(h []float64) []float64 {
	x := h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for 2*i+1 < len(h) {
		c := 2*i + 1
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if x <= h[c] {
			break
		}
		h[i] = h[c]
		i = c
	}
	if len(h) > 0 {
		h[i] = x
	}
	return h
}
