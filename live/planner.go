package live

import (
	"context"
	"math"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// planner makes the plan of each view.
type planner struct {
	*plan.Planner // nil makes none
}

// learn tells it what happened.
func (p planner) learn(taken []change) {
	if p.Planner == nil {
		return
	}
	for i := range taken {
		switch c := &taken[i]; c.Kind {
		case workload.Submit:
			p.Submitted(*c.of.request)
		case workload.Start:
			if f := c.of.forecast; f != nil && f.bounds != nil {
				p.Settled(f.raw, c.of.request.Submit+c.Job.Wait-f.at)
			}
		case workload.Finish:
			j := workload.UnknownJob()
			j.Request, j.Run, j.Status = *c.of.request, c.Job.Run, c.Job.Status
			p.Observe(j)
		}
	}
}

// plan simulates what follows from a view; nil where there is no machine or nothing to
// plan with.
func (p planner) plan(ctx context.Context, v *view) (*plan.Plan, error) {
	if p.Planner == nil || v.capacity.Processors < 1 {
		return nil, nil
	}
	return p.Plan(ctx, v.machines())
}

// machines are the groups of partitions that share no nodes: each partition where their
// processors add up to those of the machine, else one of all.
func (v *view) machines() []plan.Machine {
	sum := int64(0)
	for _, p := range v.capacity.Partitions {
		sum += p.Total
	}
	var all []plan.Machine
	if sum == v.capacity.Total && len(v.capacity.Partitions) > 1 {
		for _, p := range v.capacity.Partitions {
			if p.Processors > 0 {
				all = append(all, v.machine(p.Processors, []int64{p.Number}))
			}
		}
	}
	if len(all) == 0 {
		all = append(all, v.machine(v.capacity.Processors, nil))
	}
	return all
}

// machine is what runs and waits in some partitions; nil is all.
func (v *view) machine(processors int64, partitions []int64) plan.Machine {
	m := plan.Machine{Snapshot: predict.Snapshot{Time: v.at, Processors: processors}, Partitions: partitions}
	here := func(r *workload.Request) bool { return partitions == nil || r.Partition == partitions[0] }
	for _, j := range v.running {
		if here(j.request) && j.request.Size > 0 {
			m.Running = append(m.Running, predict.Occupant{Request: j.request, Size: j.request.Size, Age: math.Max(0, v.at-j.start)})
		}
	}
	for _, j := range v.pending {
		if here(j.request) && !j.held && j.blocked == nil {
			m.Queued = append(m.Queued, *j.request)
		}
	}
	return m
}
