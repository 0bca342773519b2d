package sched

import "slices"

// Priority serves the log's queues (Request.Queue) in the order given, and
// queues that are not in it after them, as one. Within a queue jobs are in the
// order of submission. As under FCFS the job at the head of all holds up those
// behind it. Running jobs are not stopped for more urgent ones.
type Priority struct {
	Queues []int64 // the most urgent first
}

var _ Policy = Priority{}

// Name returns "priority".
func (Priority) Name() string { return "priority" }

// UsesEstimates returns false.
func (Priority) UsesEstimates() bool { return false }

func (Priority) planner(p *pools) planner { return inOrder(p) }

func (p Priority) order() func(a, b *held) bool {
	rank := map[int64]int{}
	for i, q := range slices.Backward(p.Queues) {
		rank[q] = i
	}
	of := func(j *held) int {
		if r, ok := rank[j.job.Queue]; ok {
			return r
		}
		return len(p.Queues)
	}
	return func(a, b *held) bool {
		if ra, rb := of(a), of(b); ra != rb {
			return ra < rb
		}
		return a.number < b.number
	}
}
