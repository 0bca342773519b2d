package sched

import "github.com/loadstone-hpc/loadstone/internal/opt"

// PolicyNamed returns one of the policies by its name, such as "easy", with parameters if
// any, such as "priority(queues=3,1)": fields of the policy, a struct, with the tag opt, the
// parameter's name. The tags "in", a range such as "[0,1]", and "help" describe it. A
// method Check() error of the policy finds what else can be wrong. An error is a
// *workload.OptionError of "policy".
func PolicyNamed(text string, policies []Policy) (Policy, error) {
	return opt.Named("policy", text, policies)
}
