// Package policy shows how to add a scheduling policy: implement sched.Policy.
package policy

import (
	"errors"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/sched"
)

// SmallestFirst puts the smallest waiting job first. Waiting makes a job smaller: by
// Ageing processors an hour, so that large jobs get their turn. As under FCFS the first
// job holds up the others until it fits.
type SmallestFirst struct {
	Ageing float64 // processors an hour, at least 0
}

var _ sched.Adjustable = SmallestFirst{}

// Name returns "smallest".
func (SmallestFirst) Name() string { return "smallest" }

// UsesEstimates returns false.
func (SmallestFirst) UsesEstimates() bool { return false }

// Parameters implements sched.Adjustable.
func (SmallestFirst) Parameters() []string { return []string{"ageing"} }

// With implements sched.Adjustable: "smallest(ageing=2)" in a command or an option.
func (p SmallestFirst) With(_, value string) (sched.Policy, error) {
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 1) {
		return nil, errors.New("a number of processors an hour, at least 0")
	}
	return SmallestFirst{x}, nil
}

// Planner implements sched.Policy. The policy keeps no state, so it is its own Planner.
func (p SmallestFirst) Planner(*sched.State) sched.Planner { return p }

// Next implements sched.Planner.
func (p SmallestFirst) Next(m *sched.State) (sched.Place, bool) {
	var first sched.Place
	least := math.Inf(1)
	for place, job := range m.Waiting() {
		r := job.Request
		size := float64(r.Size) - p.Ageing*(m.Now()-r.Submit)/3600
		if size < least { // of equals the one submitted first
			first, least = place, size
		}
	}
	return first, m.Fits(first)
}
