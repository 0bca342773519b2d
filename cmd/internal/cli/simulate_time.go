package cli

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
)

// What it takes of one core, in seconds, to empty a queue under conservative
// backfilling, as measured on 1,500 to 40,000 jobs of one instant. Each job that
// ends before its estimate has all that wait tried against the whole plan; where
// all end as estimated, each job is planned once.
const (
	costCompressed = 6e-10 // times the cube of the queue's length
	costPlanned    = 5e-9  // times its square
)

// queueSeconds is how long a queue takes under a policy, in seconds; 0 where that
// is no matter.
func queueSeconds(policy, estimates string, queued int) float64 {
	n := float64(queued)
	switch {
	case policy != (sched.Conservative{}).Name():
		return 0
	case estimates == "perfect":
		return costPlanned * n * n
	}
	return costCompressed * n * n * n
}

// warnOfQueue returns what warns of a queue that takes long to empty, and again
// when that has grown tenfold: how long it gets is not known before.
func (o *simulateOptions) warnOfQueue(a *app) func(queued int) {
	longest, next := 0, float64(longStudy)
	return func(queued int) {
		if queued <= longest {
			return
		}
		longest = queued
		seconds := queueSeconds(o.Policy, o.Estimates, queued)
		if seconds < next {
			return
		}
		next = 10 * math.Max(next, seconds)
		a.warn("%s: %d jobs wait: conservative backfilling takes some %s of one core to plan them; --policy easy takes seconds, and more --procs or a lower load make the queue shorter", o.input, queued, longTime(seconds))
	}
}

// longStudy is the time, in seconds, from which on one is warned of it.
const longStudy = 600

// longTime is an estimate of a time from minutes on, for people.
func longTime(seconds float64) string {
	switch {
	case seconds < 2*3600:
		return fmt.Sprintf("%.0f minutes", seconds/60)
	case seconds < 10*3600:
		return fmt.Sprintf("%.1f hours", seconds/3600)
	}
	return fmt.Sprintf("%.0f hours", seconds/3600)
}
