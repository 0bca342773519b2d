// Package slots keeps records that come and go under small numbers, which are
// used again: the jobs of a simulation or a replay from their submission to
// their end.
//
// A slice that grows holds its records twice while it moves them, and leaves the
// old copies to the collector: a million jobs that were submitted at one instant
// took three times their size. Here records stay where they are, on pages.
//
// Packages workload, internal/feedback, sched and evaluate use it.
package slots

// perPage is how many records a page has: a few, because many machines of a
// simulation may have a table each, and none may have much to hold.
const perPage = 32

// Table holds records by slot. The zero value is empty.
type Table[T any] struct {
	pages  []*[perPage]T
	used   int32   // slots that have ever been in use
	vacant []int32 // slots to use again
}

// Put stores a record and returns its slot, the one freed last where there is one.
func (t *Table[T]) Put(x *T) int32 {
	slot := t.used
	if n := len(t.vacant); n > 0 {
		slot = t.vacant[n-1]
		t.vacant = t.vacant[:n-1]
	} else {
		if slot%perPage == 0 {
			t.pages = append(t.pages, new([perPage]T))
		}
		t.used++
	}
	*t.At(slot) = *x
	return slot
}

// At returns the record in a slot, which is in use. It stays there until Free.
func (t *Table[T]) At(slot int32) *T { return &t.pages[uint32(slot)/perPage][uint32(slot)%perPage] }

// Free gives a slot back.
func (t *Table[T]) Free(slot int32) { t.vacant = append(t.vacant, slot) }

// Len returns how many slots are in use.
func (t *Table[T]) Len() int { return int(t.used) - len(t.vacant) }
