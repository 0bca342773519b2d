package sched

import "github.com/loadstone-hpc/loadstone/workload"

// queue holds the jobs that wait, by arrival, in a ring.
type queue struct {
	ring []workload.Job // its length is a power of two, or 0
	head int
	n    int
}

// at returns the job in position i, of which there must be one; it is valid
// until the queue changes.
func (q *queue) at(i int) *workload.Job { return &q.ring[(q.head+i)&(len(q.ring)-1)] }

func (q *queue) push(j *workload.Job) {
	if q.n == len(q.ring) {
		bigger := make([]workload.Job, max(16, 2*q.n))
		copied := copy(bigger, q.ring[q.head:])
		copy(bigger[copied:], q.ring[:q.head])
		q.ring, q.head = bigger, 0
	}
	q.n++
	*q.at(q.n - 1) = *j
}

// remove takes out the job in position i; those before it move up by one.
func (q *queue) remove(i int) {
	for ; i > 0; i-- {
		*q.at(i) = *q.at(i - 1)
	}
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
}
