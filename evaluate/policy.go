package evaluate

import (
	"cmp"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// policyNames are those that an option can name.
func policyNames(policies []sched.Policy) []string {
	if policies == nil {
		policies = sched.Policies()
	}
	return sched.Names(policies)
}

// PolicyNamed returns the policy that text names among policies, such as
// "priority(queues=3,1)"; nil means sched.Policies(). See sched.PolicyNamed. An empty text
// means fcfs.
func PolicyNamed(text string, policies []sched.Policy) (sched.Policy, error) {
	if policies == nil {
		policies = sched.Policies()
	}
	p, err := sched.PolicyNamed(cmp.Or(text, sched.FCFS{}.Name()), policies)
	if priority, ok := p.(sched.Priority); ok && len(priority.Queues) == 0 {
		return nil, workload.OptionFault("policy", text, "its queues, the most urgent first, such as priority(queues=3,1)")
	}
	return p, err
}
