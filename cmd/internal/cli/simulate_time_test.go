package cli

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/sched"
)

// Queues of one instant took 20.5 s for 3,000 jobs and 75 s for 5,000 under users'
// estimates, 8 s for 40,000 under perfect ones.
func TestLongQueuesAreEstimated(t *testing.T) {
	for _, c := range []struct {
		policy    sched.Policy
		estimates string
		queued    int
		measured  float64
	}{
		{sched.Conservative{}, "user", 3000, 20.5}, {sched.Conservative{}, "user", 5000, 75},
		{sched.Conservative{}, "perfect", 40000, 8},
	} {
		if got := queueSeconds(c.policy.Name(), c.estimates, c.queued); got < c.measured/2 || got > 2*c.measured {
			t.Errorf("%s, %s, %d jobs: %g s, measured %g", c.policy.Name(), c.estimates, c.queued, got, c.measured)
		}
	}
	const from, behind = "warning: a.swf: ", " of one core to plan them; --policy easy takes seconds, and more --procs or a lower load make the queue shorter\n"
	for name, c := range map[string]struct {
		policy sched.Policy
		want   string
	}{
		// 6e-10 * 10,000^3 = 600 s; 20,000 are 4,800 s, not yet ten times as much.
		"conservative": {sched.Conservative{}, from + "10000 jobs wait: conservative backfilling takes some 10 minutes" + behind +
			from + "25000 jobs wait: conservative backfilling takes some 2.6 hours" + behind},
		"easy": {sched.EASY{}, ""},
	} {
		var errs strings.Builder
		o := &simulateOptions{oneLog: oneLog{"a.swf"}, ScheduleOptions: evaluate.ScheduleOptions{Policy: c.policy.Name(), Estimates: "user"}}
		warn := o.warnOfQueue(&app{Streams: Streams{Err: &errs}})
		for _, queued := range []int{9999, 10000, 10001, 20000, 3, 25000} {
			warn(queued)
		}
		if errs.String() != c.want {
			t.Errorf("%s: said %q, want %q", name, errs.String(), c.want)
		}
	}
}
