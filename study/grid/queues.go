package grid

// fifo is a queue of jobs, first in, first out.
type fifo struct {
	jobs []waiting
	head int
	gone int64 // that have left jobs altogether
}

// waiting is a job in a queue: little, because a queue is walked through often.
type waiting struct {
	slot int32
	size int64
	run  float64 // s, as expected on the cluster
}

func (q *fifo) len() int     { return len(q.jobs) - q.head }
func (q *fifo) first() int32 { return q.jobs[q.head].slot }

// number is that of the first, or the next to come where there is none.
func (q *fifo) number() int64 { return q.gone + int64(q.head) }

// from are those from a number on, which is not below the first's.
func (q *fifo) from(number int64) []waiting { return q.jobs[number-q.gone:] }

// push returns the number of a job in the queue, of all that have ever been in it.
func (q *fifo) push(w waiting) int64 {
	q.jobs = append(q.jobs, w)
	return q.gone + int64(len(q.jobs)) - 1
}

// at finds a job that waits by its number.
func (q *fifo) at(number int64) *waiting { return &q.jobs[number-q.gone] }

// pop takes out the first. The room before it is used again once it is half.
func (q *fifo) pop() int32 {
	slot := q.jobs[q.head].slot
	q.head++
	if 2*q.head >= len(q.jobs) {
		q.gone += int64(q.head)
		q.jobs = q.jobs[:copy(q.jobs, q.jobs[q.head:])]
		q.head = 0
	}
	return slot
}
