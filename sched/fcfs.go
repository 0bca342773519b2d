package sched

// FCFS is strict first come, first served: jobs start in the order of their
// submission, or in the log's order if submitted at the same instant, and each as
// early as that allows. The job at the head of the queue delays all jobs behind
// it, even those that would fit. It is the policy of Downey (1997)
// and of Sonmez and others (2009).
type FCFS struct{}

var _ Policy = FCFS{}

// Name returns "fcfs".
func (FCFS) Name() string { return "fcfs" }

// UsesEstimates returns false.
func (FCFS) UsesEstimates() bool { return false }

// Planner implements Policy.
func (FCFS) Planner(*State) Planner { return &inOrder{} }
