package heap

// Time is something at a time.
type Time[V any] struct {
	Value V       // first, so that none takes no memory
	At    float64 // not NaN
}

// Times is a binary heap for items whose order at one time does not matter, a third
// smaller than those of Heap and as much faster: the first item is h[0]. The zero
// value is empty. The same calls leave the same heap.
type Times[V any] []Time[V]

// Push puts an item in.
func (h *Times[V]) Push(e Time[V]) {
	x := append(*h, e)
	i := len(x) - 1
	for i > 0 && e.At < x[(i-1)/2].At {
		x[i] = x[(i-1)/2]
		i = (i - 1) / 2
	}
	x[i] = e
	*h = x
}

// Pop takes out the first item, which there must be.
func (h *Times[V]) Pop() Time[V] {
	x := *h
	top, last := x[0], x[len(x)-1]
	*h = x[:len(x)-1]
	if len(*h) > 0 {
		h.Replace(last)
	}
	return top
}

// Replace puts an item in place of the first, which there must be.
func (h *Times[V]) Replace(e Time[V]) {
	x := *h
	i := 0
	for 2*i+1 < len(x) {
		c := 2*i + 1
		if c+1 < len(x) && x[c+1].At < x[c].At {
			c++
		}
		if e.At <= x[c].At {
			break
		}
		x[i] = x[c]
		i = c
	}
	x[i] = e
}
