// Package slots stores temporary records, such as the jobs of a simulation or a replay
// from their submission to their end. A record is identified by a small number, its
// slot, which is reused after the record has been freed.
//
// When a slice grows, it holds its records twice while it copies them, and leaves the
// old copies to the garbage collector: a million jobs submitted at one instant
// took three times their size. A Table uses pages and never moves its records.
//
// Packages workload, internal/feedback, sched and evaluate use it.
package slots

// perPage is the number of records on a page. It is small, because each machine of a
// simulation may have a table, and most tables may hold few records.
const perPage = 32

// Table holds records by slot. The zero value is empty.
type Table[T any] struct {
	pages  []*[perPage]T
	used   int32   // number of slots that have ever been in use
	vacant []int32 // slots to reuse
}

// Put stores a copy of a record and returns its slot, the one freed last if there is any.
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

// At returns the record in a slot, which must be in use. The pointer is valid until Free.
func (t *Table[T]) At(slot int32) *T { return &t.pages[uint32(slot)/perPage][uint32(slot)%perPage] }

// Free releases a slot for reuse.
func (t *Table[T]) Free(slot int32) { t.vacant = append(t.vacant, slot) }

// Len returns the number of slots in use.
func (t *Table[T]) Len() int { return int(t.used) - len(t.vacant) }
