package sched

import "math"

// plan is what a machine has free from now on, if all that is planned happens.
type plan interface {
	// reset makes it that of a machine on which nothing runs, from now on.
	reset(m *machine, now float64)
	// trim forgets what is before now.
	trim(now float64)
	// earliest returns the first time at which a waiting job can have what it needs
	// for so long, and in which pool; limit, where that is not before it. What it
	// has reserved counts as free, where its reservation is finite.
	earliest(e *entry, length, limit float64) (at float64, pool int32)
	// take takes from the plan what a job holds from one time to another.
	take(h holding, from, to float64)
	// give gives that back.
	give(h holding, from, to float64)
	// most returns the largest number of free processors, on a Cluster of one pool,
	// from one time to another.
	most(from, to float64) int64
}

// holding is what a job takes of a machine.
type holding struct {
	size       int64 // processors
	slot, pool int32 // on a Cluster
}

func (e *entry) holding() holding { return holding{e.size, e.slot, e.pool} }

// holding returns what a running job holds, or held until now.
func (s *State) holding(slot int32) holding {
	h := holding{size: s.jobs.At(slot).job.Size, slot: slot}
	if s.machine.pools != nil {
		h.pool = s.machine.pools.jobs[slot].at
	}
	return h
}

// processorPlan is the plan of like processors.
type processorPlan struct{ profile }

var _ plan = (*processorPlan)(nil)

func (p *processorPlan) reset(m *machine, now float64) { p.profile.reset(now, m.processors) }

func (p *processorPlan) earliest(e *entry, length, limit float64) (at float64, pool int32) {
	return p.profile.earliest(e.size, math.Inf(-1), length, e.reserved, e.reserved+length, limit), 0
}

func (p *processorPlan) take(h holding, from, to float64) { p.add(from, to, -h.size) }
func (p *processorPlan) give(h holding, from, to float64) { p.add(from, to, h.size) }
