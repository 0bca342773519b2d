package heap

// Time is a value at a time.
type Time[V any] struct {
	Value V       // first, so that an empty Value takes no memory
	At    float64 // not NaN
}

// Times is a binary heap of items whose order at the same time does not matter, although the
// same calls give the same order. The first item is h[0]. Its items are a third smaller than
// those of Heap, and it is a third faster. The zero value is empty.
type Times[V any] []Time[V]

// Push adds an item.
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

// Pop removes and returns the first item. The heap must not be empty.
func (h *Times[V]) Pop() Time[V] {
	x := *h
	top, last := x[0], x[len(x)-1]
	*h = x[:len(x)-1]
	if len(*h) > 0 {
		h.Replace(last)
	}
	return top
}

// Replace replaces the first item. The heap must not be empty.
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
