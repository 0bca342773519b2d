package sched

// FCFS is first come, first served, without exception: jobs start in the
// order of their submission, those of one instant in the log's order, and
// each as early as that allows. A job at the head of the queue holds up all
// behind it, also those that would fit. It is the policy of Downey (1997)
// and of Sonmez and others (2009).
type FCFS struct{}

var _ Policy = FCFS{}

// Name returns "fcfs".
func (FCFS) Name() string { return "fcfs" }

// UsesEstimates returns false.
func (FCFS) UsesEstimates() bool { return false }

// Planner implements Policy.
func (FCFS) Planner(*State) Planner { return &inOrder{} }
