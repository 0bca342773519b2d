package evaluate

import (
	"cmp"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/sched"
)

// policyNames are those that an option can name.
func policyNames(policies []sched.Policy) []string {
	if policies == nil {
		policies = sched.Policies()
	}
	return opt.Names(policies)
}

// PolicyNamed returns the policy that text names among policies, such as
// "priority(queues=3,1)"; nil means sched.Policies(). See sched.PolicyNamed. An empty text
// means fcfs.
func PolicyNamed(text string, policies []sched.Policy) (sched.Policy, error) {
	if policies == nil {
		policies = sched.Policies()
	}
	return sched.PolicyNamed(cmp.Or(text, sched.FCFS{}.Name()), policies)
}
