package sched

import (
	"errors"
	"slices"
)

// Priority serves the log's queues (Request.Queue) in the given order, and all
// other queues after them, as one. Within a queue jobs are in the order of
// submission. As under FCFS, the first of all waiting jobs delays those behind it.
// Running jobs are not stopped for more urgent ones.
type Priority struct {
	Queues []int64 `opt:"queues" help:"numbers of queues, the most urgent first"`
}

var _ Ordered = Priority{}

// Name returns "priority".
func (Priority) Name() string { return "priority" }

// UsesEstimates returns false.
func (Priority) UsesEstimates() bool { return false }

// Planner implements Policy.
func (Priority) Planner(*State) Planner { return &inOrder{} }

// Before implements Ordered.
func (p Priority) Before(a, b Task) bool {
	if ra, rb := p.rank(a), p.rank(b); ra != rb {
		return ra < rb
	}
	return a.Number < b.Number
}

func (p Priority) rank(t Task) int {
	if i := slices.Index(p.Queues, t.Request.Queue); i >= 0 {
		return i
	}
	return len(p.Queues)
}

// Check returns an error if there are no queues, because the policy would be FCFS.
func (p Priority) Check() error {
	if len(p.Queues) == 0 {
		return errors.New("its queues, the most urgent first, such as priority(queues=3,1)")
	}
	return nil
}
