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

func (q *fifo) len() int       { return len(q.jobs) - q.head }
func (q *fifo) first() int32   { return q.jobs[q.head].slot }
func (q *fifo) all() []waiting { return q.jobs[q.head:] }

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

// ending is the end of a running job.
type ending struct {
	at     float64
	number int64 // position among the submissions; ties go by it
	slot   int32
}

func (a *ending) before(b *ending) bool {
	return a.at < b.at || (a.at == b.at && a.number < b.number)
}

// runHeap has the first to end on top.
type runHeap []ending

func (h *runHeap) push(e ending) {
	x := append(*h, e)
	i := len(x) - 1
	for i > 0 && e.before(&x[(i-1)/2]) {
		x[i] = x[(i-1)/2]
		i = (i - 1) / 2
	}
	x[i] = e
	*h = x
}

func (h *runHeap) pop() ending {
	x := *h
	top, last := x[0], x[len(x)-1]
	x = x[:len(x)-1]
	i := 0
	for 2*i+1 < len(x) {
		c := 2*i + 1
		if c+1 < len(x) && x[c+1].before(&x[c]) {
			c++
		}
		if !x[c].before(&last) {
			break
		}
		x[i] = x[c]
		i = c
	}
	if len(x) > 0 {
		x[i] = last
	}
	*h = x
	return top
}
