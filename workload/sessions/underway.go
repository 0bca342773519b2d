package sessions

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// UnderWay is the work that a user has under way: the sum, over the jobs that have not ended, of
// their size times the time to their end. The zero value is a user without jobs. Times passed to
// Work must not decrease.
type UnderWay struct {
	ends    heap.Heap[float64] // sizes, by the jobs' ends
	size    float64            // sum of the sizes
	sizeEnd float64            // sum of sizes times ends
}

// Add adds a job with the given size and end, s.
func (u *UnderWay) Add(size, end float64) {
	u.ends.Push(heap.Item[float64]{At: end, Value: size})
	u.size += size
	u.sizeEnd += size * end
}

// Bag is a bag of jobs that count as one: its size is the sum of their sizes, and its end the mean
// of their ends, weighted by size.
type Bag struct{ size, sizeEnd float64 }

// Add adds a job with the given size and end, s.
func (b *Bag) Add(size, end float64) {
	b.size += size
	b.sizeEnd += size * end
}

// Finish adds the bag to the work under way and empties it.
func (b *Bag) Finish(u *UnderWay) {
	if b.size > 0 {
		u.Add(b.size, b.sizeEnd/b.size)
	}
	*b = Bag{}
}

// Work returns the work under way at a moment, in units of size times seconds. It forgets jobs that
// have ended.
func (u *UnderWay) Work(at float64) float64 {
	for len(u.ends) > 0 && u.ends[0].At <= at {
		job := u.ends.Pop()
		u.size -= job.Value
		u.sizeEnd -= job.Value * job.At
	}
	if len(u.ends) == 0 {
		u.size, u.sizeEnd = 0, 0 // without rounding errors
	}
	return math.Max(0, u.sizeEnd-u.size*at)
}

// NextEnd returns the earliest end of the jobs that Work has not forgotten, s; +Inf if there are
// none.
func (u *UnderWay) NextEnd() float64 {
	if len(u.ends) == 0 {
		return math.Inf(1)
	}
	return u.ends[0].At
}
