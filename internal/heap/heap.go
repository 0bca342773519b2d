// Package heap holds what is to happen, the first on top: simulators' ends of
// jobs. Items go by a time, and at one time by a number.
//
// It is container/heap for one order. Comparisons are written out here, because
// those by a method or a function are not inlined: a push and a pop of sixty
// items took 1.8 and 1.5 times as long with them.
//
// Heap tells items of one time apart by a number; Times does not, and its items are a
// third smaller.
package heap

// Item is something at a time.
type Item[V any] struct {
	At    float64 // not NaN
	Seq   int64   // the lesser first of those at one time
	Value V
}

// Before says whether an item comes before another.
func (a *Item[V]) Before(b *Item[V]) bool { return a.At < b.At || (a.At == b.At && a.Seq < b.Seq) }

// Heap is a binary heap: the first item is h[0]. The zero value is empty.
type Heap[V any] []Item[V]

// Push puts an item in.
func (h *Heap[V]) Push(e Item[V]) {
	x := append(*h, e)
	i := len(x) - 1
	for i > 0 && e.Before(&x[(i-1)/2]) {
		x[i] = x[(i-1)/2]
		i = (i - 1) / 2
	}
	x[i] = e
	*h = x
}

// Pop takes out the first item, which there must be.
func (h *Heap[V]) Pop() Item[V] {
	x := *h
	top, last := x[0], x[len(x)-1]
	*h = x[:len(x)-1]
	if len(*h) > 0 {
		h.Replace(last)
	}
	return top
}

// Replace puts an item in place of the first, which there must be.
func (h *Heap[V]) Replace(e Item[V]) {
	x := *h
	i := 0
	for 2*i+1 < len(x) {
		c := 2*i + 1
		if c+1 < len(x) && x[c+1].Before(&x[c]) {
			c++
		}
		if !x[c].Before(&e) {
			break
		}
		x[i] = x[c]
		i = c
	}
	x[i] = e
}
