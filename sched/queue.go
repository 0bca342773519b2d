package sched

import (
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/internal/slots"
)

// queue holds the waiting jobs, in the order of the policy. It consists of chunks, each
// with the least size and estimate of its jobs, so that a scan for a job that fits can
// skip whole chunks, and removing a job from the middle moves few entries.
type queue struct {
	chunks []*chunk
	n      int // number of jobs
	// order is the policy's; nil means the order of submission.
	order func(a, b *held) bool
	// after is the place of the job that followed the one removed last.
	after Place
}

// entry describes a job in the queue. It is small because queues are scanned often.
type entry struct {
	size     int64   // smallest number of processors that it takes
	estimate float64 // s, of the run time
	reserved float64 // s, the reserved start (conservative)
	among    uint64  // bit mask of the pools in which it can run
	claim    *claim
	slot     int32
	option   int32 // index of the option in claim that the planner has chosen
}

const entriesPerChunk = 64

type chunk struct {
	head, end int  // entries[head:end] are in use
	stale     bool // leastSize, least and among must be computed again
	leastSize int64
	least     float64 // least estimate
	among     uint64  // bit mask of the pools of all entries
	entries   [entriesPerChunk]entry
}

// Place is the position of a waiting job in a queue, as returned by a Planner. It is
// valid until the queue changes. Places are obtained from and used with a State.
//
// A place is a chunk and an index in its entries. An index behind the chunk's last entry
// denotes the next entry of the queue.
type Place struct{ chunk, i int }

// settle moves a place behind a chunk's end to the next entry. It returns false at
// the end of the queue.
func (q *queue) settle(c Place) (Place, bool) {
	for c.chunk < len(q.chunks) {
		if c.i < q.chunks[c.chunk].end {
			return c, true
		}
		if c.chunk+1 == len(q.chunks) {
			break
		}
		c = Place{c.chunk + 1, q.chunks[c.chunk+1].head}
	}
	return c, false
}

// first returns the place of the head. The queue must not be empty.
func (q *queue) first() Place { return Place{0, q.chunks[0].head} }

// last returns the place behind the last entry.
func (q *queue) last() Place {
	return Place{len(q.chunks) - 1, q.chunks[len(q.chunks)-1].end}
}

// next returns the place behind c.
func (c Place) next() Place { return Place{c.chunk, c.i + 1} }

// at returns the entry at a place, which must have one. The entry is valid until the
// queue changes.
func (q *queue) at(c Place) *entry { return &q.chunks[c.chunk].entries[c.i] }

// push adds a job, at its place in the order.
func (q *queue) push(e entry, jobs *slots.Table[held]) {
	q.n++
	if len(q.chunks) == 0 {
		q.chunks = append(q.chunks, newChunk())
	}
	k := q.chunks[len(q.chunks)-1]
	if q.order != nil && k.end > k.head && q.order(jobs.At(e.slot), jobs.At(k.entries[k.end-1].slot)) {
		q.insert(e, jobs)
		return
	}
	if k.end == entriesPerChunk {
		k = newChunk()
		q.chunks = append(q.chunks, k)
	}
	k.entries[k.end] = e
	k.end++
	k.enter(&e)
}

func newChunk() *chunk {
	k := new(chunk)
	k.clear()
	return k
}

// insert inserts a job before the first job that it precedes, which must exist.
func (q *queue) insert(e entry, jobs *slots.Table[held]) {
	j := jobs.At(e.slot)
	c := sort.Search(len(q.chunks)-1, func(c int) bool {
		k := q.chunks[c]
		return q.order(j, jobs.At(k.entries[k.end-1].slot))
	})
	k := q.chunks[c]
	if k.end-k.head == entriesPerChunk {
		right := newChunk()
		const half = entriesPerChunk / 2
		right.end = copy(right.entries[:], k.entries[half:])
		k.end, k.stale, right.stale = half, true, true
		q.chunks = slices.Insert(q.chunks, c+1, right)
		if !q.order(j, jobs.At(k.entries[k.end-1].slot)) {
			k = right
		}
	}
	k.head, k.end = 0, copy(k.entries[:], k.entries[k.head:k.end])
	i := sort.Search(k.end, func(i int) bool { return q.order(j, jobs.At(k.entries[i].slot)) })
	copy(k.entries[i+1:], k.entries[i:k.end])
	k.end++
	k.entries[i] = e
	k.enter(&e)
}

// enter updates the summary of the chunk with another entry.
func (k *chunk) enter(e *entry) {
	k.leastSize, k.least, k.among = min(k.leastSize, e.size), min(k.least, e.estimate), k.among|e.among
}

// remove removes the job at a place.
func (q *queue) remove(c Place) {
	k := q.chunks[c.chunk]
	k.stale = true
	q.n--
	q.after = c
	if c.i == k.head {
		k.head++
		q.after.i++
	} else {
		copy(k.entries[c.i:], k.entries[c.i+1:k.end])
		k.end--
	}
	if k.head < k.end {
		return
	}
	if len(q.chunks) == 1 { // keep the chunk for the next job
		k.head, k.end = 0, 0
		q.after = Place{}
		return
	}
	q.chunks = slices.Delete(q.chunks, c.chunk, c.chunk+1)
	q.after = q.last()
	if c.chunk < len(q.chunks) {
		q.after = Place{c.chunk, q.chunks[c.chunk].head}
	}
}

// clear resets the summary of the chunk to that of no entries.
func (k *chunk) clear() {
	k.stale, k.leastSize, k.least, k.among = false, math.MaxInt64, math.Inf(1), 0
}

// refresh computes the summary of the chunk again.
func (k *chunk) refresh() {
	k.clear()
	for i := k.head; i < k.end; i++ {
		k.enter(&k.entries[i])
	}
}

// all yields the places of the jobs in order. The caller must not add or remove jobs
// meanwhile, but may change entries.
func (q *queue) all(yield func(Place) bool) {
	for c, k := range q.chunks {
		for i := k.head; i < k.end; i++ {
			if !yield(Place{c, i}) {
				return
			}
		}
	}
}
