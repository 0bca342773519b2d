package grid

// fifo is a queue, first in, first out.
type fifo[T any] struct {
	jobs []T
	head int
	gone int64 // that have left jobs altogether
}

func (q *fifo[T]) len() int  { return len(q.jobs) - q.head }
func (q *fifo[T]) first() *T { return &q.jobs[q.head] }

// number is that of the first, or the next to come where there is none.
func (q *fifo[T]) number() int64 { return q.gone + int64(q.head) }

// from are those from a number on, which is not below the first's.
func (q *fifo[T]) from(number int64) []T { return q.jobs[number-q.gone:] }

// push returns the number of a job in the queue, of all that have ever been in it.
func (q *fifo[T]) push(x T) int64 {
	q.jobs = append(q.jobs, x)
	return q.gone + int64(len(q.jobs)) - 1
}

// at finds a job that waits by its number.
func (q *fifo[T]) at(number int64) *T { return &q.jobs[number-q.gone] }

// pop takes out the first. The space before it is used again once it is half.
func (q *fifo[T]) pop() T {
	x := q.jobs[q.head]
	q.head++
	if 2*q.head >= len(q.jobs) {
		q.gone += int64(q.head)
		q.jobs = q.jobs[:copy(q.jobs, q.jobs[q.head:])]
		q.head = 0
	}
	return x
}
