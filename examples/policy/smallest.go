// Package policy shows how to add a scheduling policy: implement sched.Policy.
package policy

import (
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
)

// SmallestFirst starts the smallest waiting job first. Each hour of waiting makes a job count as
// smaller by Ageing processors, so that large jobs get their turn. As under FCFS, the first
// job blocks the others until it fits. With the tags, the policy can be named in a command or an
// option as "smallest(ageing=2)".
type SmallestFirst struct {
	Ageing float64 `opt:"ageing" in:"[0,)" help:"processors by which an hour of waiting makes a job smaller"`
}

var _ sched.Policy = SmallestFirst{}

// Name returns "smallest".
func (SmallestFirst) Name() string { return "smallest" }

// UsesEstimates returns false.
func (SmallestFirst) UsesEstimates() bool { return false }

// Planner implements sched.Policy. The policy keeps no state, so it is its own Planner.
func (p SmallestFirst) Planner(*sched.State) sched.Planner { return p }

// Next implements sched.Planner.
func (p SmallestFirst) Next(m *sched.State) (sched.Place, bool) {
	var first sched.Place
	least := math.Inf(1)
	for place, job := range m.Waiting() {
		r := job.Request
		size := float64(r.Size) - p.Ageing*(m.Now()-r.Submit)/3600
		if size < least { // if sizes are equal, the job submitted first
			first, least = place, size
		}
	}
	return first, m.Fits(first)
}
