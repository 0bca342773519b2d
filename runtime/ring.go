package runtime

import "slices"

// ring is a ring buffer of the last values of a class.
type ring[T any] struct {
	all  []T
	next int // once the ring is full, index of the oldest value, which the next one replaces
}

// put adds a value. If there are already most values, it replaces the oldest, and returns it.
func (r *ring[T]) put(x T, most int) (oldest T, full bool) {
	if len(r.all) < most {
		r.all = append(r.all, x)
		return oldest, false
	}
	oldest, r.all[r.next] = r.all[r.next], x
	r.next = (r.next + 1) % most
	return oldest, true
}

// newest returns the index of the value that is followed by i newer ones.
func (r *ring[T]) newest(i int) int {
	at := r.next - 1 - i
	if at < 0 {
		at += len(r.all)
	}
	return at
}

// sortedRing is a ring of the last run times of a class that also keeps them in ascending order.
type sortedRing struct {
	ring   ring[float64]
	sorted []float64
}

func (r *sortedRing) put(run float64, most int) {
	to, _ := slices.BinarySearch(r.sorted, run)
	oldest, full := r.ring.put(run, most)
	if !full {
		r.sorted = slices.Insert(r.sorted, to, run)
		return
	}
	from, _ := slices.BinarySearch(r.sorted, oldest)
	if from < to {
		to--
		copy(r.sorted[from:to], r.sorted[from+1:])
	} else {
		copy(r.sorted[to+1:from+1], r.sorted[to:])
	}
	r.sorted[to] = run
}
