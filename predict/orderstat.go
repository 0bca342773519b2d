package predict

import "slices"

// orderStat keeps the k-th smallest of a growing set of values at hand: low is
// a heap of the k smallest, the largest on top, high one of the others, the
// smallest on top. A value costs O(log n) as long as k grows no faster than
// the set.
type orderStat struct {
	low, high []float64
}

// value returns the k-th smallest, which there must be.
func (o *orderStat) value() float64 { return o.low[0] }

// add adds a value; k is the rank wanted of the larger set, from 0 (none).
func (o *orderStat) add(x float64, k int) {
	if len(o.low) > 0 && x < o.low[0] {
		o.low = pushMax(o.low, x)
	} else {
		o.high = pushMin(o.high, x)
	}
	for len(o.low) < k {
		o.low = pushMax(o.low, o.high[0])
		o.high = popMin(o.high)
	}
	for len(o.low) > k {
		o.high = pushMin(o.high, o.low[0])
		o.low = popMax(o.low)
	}
}

// reset makes it the set of those values, with rank k.
func (o *orderStat) reset(values []float64, k int) {
	o.low = append(o.low[:0], values...)
	slices.Sort(o.low)
	o.high = append(o.high[:0], o.low[k:]...) // ascending is a heap already
	o.low = o.low[:k]
	slices.Reverse(o.low) // descending too
}

// A heap with the largest on top is one with the smallest on top of the
// negated values; four short functions read more easily than that.

func pushMin(h []float64, x float64) []float64 {
	h = append(h, x)
	i := len(h) - 1
	for i > 0 && x < h[(i-1)/2] {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = x
	return h
}

func popMin(h []float64) []float64 {
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

func pushMax(h []float64, x float64) []float64 {
	h = append(h, x)
	i := len(h) - 1
	for i > 0 && x > h[(i-1)/2] {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = x
	return h
}

func popMax(h []float64) []float64 {
	x := h[len(h)-1]
	h = h[:len(h)-1]
	i := 0
	for 2*i+1 < len(h) {
		c := 2*i + 1
		if c+1 < len(h) && h[c+1] > h[c] {
			c++
		}
		if x >= h[c] {
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
