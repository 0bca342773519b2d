package runtime

import "slices"

// ring is the last things of a class.
type ring[T any] struct {
	all  []T
	next int // once it is full, where the next one goes
}

// put enters a thing; where there would be more than most, it returns the oldest, which
// gives way.
func (r *ring[T]) put(x T, most int) (oldest T, full bool) {
	if len(r.all) < most {
		r.all = append(r.all, x)
		return oldest, false
	}
	oldest, r.all[r.next] = r.all[r.next], x
	r.next = (r.next + 1) % most
	return oldest, true
}

// newest returns the place of the thing that i others followed.
func (r *ring[T]) newest(i int) int {
	at := r.next - 1 - i
	if at < 0 {
		at += len(r.all)
	}
	return at
}

// sortedRing is the last run times of a class, which it also keeps in ascending order.
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
