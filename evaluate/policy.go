package evaluate

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/sched"
)

// PolicyNamed returns the policy that text names among policies; nil means
// sched.Policies(). See sched.PolicyNamed. An empty text means fcfs. queues, if
// any, is the value of the policy's parameter of that name.
func PolicyNamed(text string, queues []int64, policies []sched.Policy) (sched.Policy, error) {
	if policies == nil {
		policies = sched.Policies()
	}
	if len(queues) > 0 {
		var list []string
		for _, q := range queues {
			list = append(list, strconv.FormatInt(q, 10))
		}
		if open, ok := strings.CutSuffix(text, ")"); ok {
			text = open + ","
		} else {
			text += "("
		}
		text += "queues=" + strings.Join(list, ",") + ")"
	}
	return sched.PolicyNamed(cmp.Or(text, sched.FCFS{}.Name()), policies)
}
