package live

import (
	"context"
	"math"

	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// planner makes the plan of each view.
type planner struct {
	*plan.Planner // nil makes none
}

// learn tells it what happened.
func (p planner) learn(c *change) {
	if p.Planner == nil {
		return
	}
	switch c.Kind {
	case workload.Submit:
		p.Submitted(*c.job.request)
	case workload.Start:
		if f := c.job.planned; f != nil && f.bounds != nil {
			p.Settled(f.raw, c.job.request.Submit+c.Job.Wait-f.at)
		}
	case workload.Finish:
		j := *c.Job
		j.Request = *c.job.request
		p.Observe(j)
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
		if here(j.request) && !j.Held && !j.blocked {
			m.Queued = append(m.Queued, *j.request)
		}
	}
	return m
}

// expect gives each pending job what the plan has of it, at the first poll that shows it as
// one that can start, and stores that with the scheduler's own forecast.
func (s *Service) expect(v *view) error {
	var entries []journal.Entry
	for _, j := range v.pending {
		if j.planned != nil || j.Held || j.blocked {
			continue
		}
		r, p := j.request, &plannedJob{at: v.at}
		e := &journal.Expect{ID: r.ID, Submit: journal.Number(r.Submit), Row: r.Row, At: v.at, Theirs: journal.Number(j.Expected - r.Submit), Ours: journal.Number(math.NaN())}
		if start, ok := v.start(r.Row); ok {
			p.raw = start.Raw
			for _, b := range start.Bounds {
				p.bounds = append(p.bounds, float64(finite(b-r.Submit)))
			}
			e.Ours = journal.Number(finite(start.Expected - r.Submit))
			e.Quantiles, e.Bounds, e.Raw = s.o.Quantiles, p.bounds, append([]float64{p.raw.Expected}, p.raw.Bounds...)
		}
		s.engine.plan(r.Row, p)
		entries = append(entries, e)
	}
	return s.store(entries)
}
