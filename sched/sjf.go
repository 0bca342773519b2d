package sched

// SJF is shortest job first: the job with the least estimate of its run time
// is at the head of the queue, of equal ones the one submitted first. As
// under FCFS the head holds up all behind it.
type SJF struct{}

var _ Policy = SJF{}

// Name returns "sjf".
func (SJF) Name() string { return "sjf" }

// UsesEstimates returns true.
func (SJF) UsesEstimates() bool { return true }

func (SJF) planner(p *pools) planner { return inOrder(p) }

func (SJF) order() func(a, b *held) bool {
	return func(a, b *held) bool {
		if a.estimate != b.estimate {
			return a.estimate < b.estimate
		}
		return a.number < b.number
	}
}
