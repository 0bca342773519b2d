package sessions

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// UnderWay is the work that a user has under way: of each job that has not ended, its size times
// the time to its end. The zero value is a user without jobs. Moments do not fall.
type UnderWay struct {
	ends    heap.Heap[float64] // sizes, by the jobs' ends
	size    float64            // of all of them
	sizeEnd float64            // sum of sizes times ends
}

// Add adds a job of a size and an end, s.
func (u *UnderWay) Add(size, end float64) {
	u.ends.Push(heap.Item[float64]{At: end, Value: size})
	u.size += size
	u.sizeEnd += size * end
}

// Bag is the jobs of a bag, which count as one job: of the size of all of them, and of the mean
// of their ends by size.
type Bag struct{ size, sizeEnd float64 }

// Add adds a job of a size and an end, s.
func (b *Bag) Add(size, end float64) {
	b.size += size
	b.sizeEnd += size * end
}

// Finish adds the bag to the work under way, and begins another.
func (b *Bag) Finish(u *UnderWay) {
	if b.size > 0 {
		u.Add(b.size, b.sizeEnd/b.size)
	}
	*b = Bag{}
}

// Work returns the work under way at a moment, in units of size times seconds. Jobs that have
// ended are forgotten.
func (u *UnderWay) Work(at float64) float64 {
	for len(u.ends) > 0 && u.ends[0].At <= at {
		job := u.ends.Pop()
		u.size -= job.Value
		u.sizeEnd -= job.Value * job.At
	}
	if len(u.ends) == 0 {
		u.size, u.sizeEnd = 0, 0 // without what rounding leaves
	}
	return math.Max(0, u.sizeEnd-u.size*at)
}

// NextEnd returns when the first of the jobs ends that Work has not forgotten; +Inf if there are
// none.
func (u *UnderWay) NextEnd() float64 {
	if len(u.ends) == 0 {
		return math.Inf(1)
	}
	return u.ends[0].At
}
