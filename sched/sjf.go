package sched

// SJF is shortest job first: the job with the shortest estimate of its run time
// is at the head of the queue, and among equal ones the job submitted first. As
// under FCFS, the head delays all jobs behind it.
type SJF struct{}

var _ Ordered = SJF{}

// Name returns "sjf".
func (SJF) Name() string { return "sjf" }

// UsesEstimates returns true.
func (SJF) UsesEstimates() bool { return true }

// Planner implements Policy.
func (SJF) Planner(*State) Planner { return &inOrder{} }

// Before implements Ordered.
func (SJF) Before(a, b Task) bool {
	if a.Estimate != b.Estimate {
		return a.Estimate < b.Estimate
	}
	return a.Number < b.Number
}
