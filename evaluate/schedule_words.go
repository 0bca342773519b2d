package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/sched"
)

// Describe says what was simulated, for a header and for people.
func (o *ScheduleOptions) Describe() string {
	text := fmt.Sprintf("policy %s on %d processors", o.Policy, o.Processors)
	switch {
	case o.Cluster != nil:
		text = fmt.Sprintf("policy %s on %s", o.Policy, o.Cluster)
	case o.Sites != nil && len(o.Sites) == 0:
		text = fmt.Sprintf("policy %s on %d processors a site", o.Policy, o.Processors)
	case o.Sites != nil:
		text = fmt.Sprintf("policy %s on the sites %s", o.Policy, SiteSizes(o.Sites))
		if o.Processors > 0 {
			text += fmt.Sprintf(" and others of %d processors", o.Processors)
		}
	}
	if o.UsesEstimates() {
		text += ", estimates " + o.Estimates
		if o.Classed() {
			text += " by " + o.Classes
		}
		if o.Correct {
			text += ", corrected"
		}
	}
	if o.Kill {
		text += ", jobs killed at the user's estimate"
	}
	if o.Feedback {
		text += ", feedback"
	}
	return text
}

// Capacity is how many processors the machine has; 0 where there are several machines.
func (o *ScheduleOptions) Capacity() int64 {
	switch {
	case o.Cluster != nil:
		return o.Cluster.Capacity(sched.Processors)
	case o.Sites != nil:
		return 0
	}
	return o.Processors
}

// SiteSizes writes the sizes of sites as options have them.
func SiteSizes(sites map[int64]int64) string {
	var sizes []string
	for _, p := range slices.Sorted(maps.Keys(sites)) {
		sizes = append(sizes, fmt.Sprintf("%d=%d", p, sites[p]))
	}
	return strings.Join(sizes, ",")
}

// What it takes of one core, in seconds, to empty a queue under conservative
// backfilling, as measured on 1,500 to 40,000 jobs of one instant. Each job that
// ends before its estimate has all that wait tried against the whole plan; where
// all end as estimated, each job is planned once.
const (
	costCompressed = 6e-10 // times the cube of the queue's length
	costPlanned    = 5e-9  // times its square
)

// QueueSeconds is how long it takes to schedule a queue of so many jobs, in seconds; 0 where
// that is no matter.
func (o *ScheduleOptions) QueueSeconds(queued int) float64 {
	n := float64(queued)
	switch {
	case o.Policy != (sched.Conservative{}).Name():
		return 0
	case o.Estimates == "perfect":
		return costPlanned * n * n
	}
	return costCompressed * n * n * n
}
