package forecast

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
)

// exact is A exact: the request at the head of the queue.
func (a *asked) exact(name string) {
	for i := range a.requests {
		r := &a.requests[i]
		if ahead := len(a.machine.Ahead(r, a.queues())); ahead > 0 {
			are := "jobs are"
			if ahead == 1 {
				are = "job is"
			}
			a.miss(name, r.Size, fmt.Sprintf("%d %s ahead in the queue, and it predicts the wait of the first alone; downey-b-queue and drawn predict that of the others", ahead, are))
			continue
		}
		h := a.machine.Head(r.Size)
		var bounds []predict.Bound
		for _, level := range a.q.Quantiles {
			b := predict.NoBound()
			b.Quantile, b.Observations = level, len(h.Running)
			b.Seconds = 0
			if h.Needed > 0 {
				p, _ := predict.DowneyAExact{Lifetimes: a.lifetimes, Quantile: level}.Predict(h)
				b.Seconds = p.Seconds
			}
			bounds = append(bounds, b)
		}
		a.row(r.Size, name, predict.MeanFreed(h, a.lifetimes), bounds, len(h.Running))
	}
}

// fluid is B for the whole queue.
func (a *asked) fluid(name string) {
	p := predict.DowneyBQueue{Lifetimes: a.lifetimes, Queues: a.queues()}
	warned := a.inOrder()
	for i := range a.requests {
		r := &a.requests[i]
		x, ok := p.Predict(a.machine, r)
		if !warned && len(a.machine.Ahead(r, a.queues())) > 0 {
			a.warn("other-policy", "%s is first come, first served: under %s jobs go ahead where they fit, and wait less than it expects", name, a.q.Policy)
			warned = true
		}
		if !ok {
			a.miss(name, r.Size, "all that a job older than the distribution allows holds would have to be free, and B then has no end")
			continue
		}
		a.row(r.Size, name, x.Seconds, nil, x.Observations)
	}
}

// queues are those that a policy "priority" serves first, the most urgent first.
func (a *asked) queues() []int64 {
	p, _ := a.policy.(sched.Priority)
	return slices.Clone(p.Queues)
}

// inOrder says whether no job starts before those ahead of it.
func (a *asked) inOrder() bool {
	switch a.policy.(type) {
	case sched.FCFS, sched.Priority:
		return true
	}
	return false
}

// drawn is the distribution of waits in drawn schedules.
func (a *asked) drawn(name string) error {
	if r := &a.requests[0]; a.policy.UsesEstimates() && !(r.Time > 0) && len(a.machine.Ahead(r, a.queues())) > 0 {
		a.warn("no-time", "without a requested time %s plans the request with the run time that is drawn for it, which no scheduler knows: under %s its waits come out too short; --time", name, a.q.Policy)
	}
	d := predict.Drawn{Lifetimes: a.lifetimes, Policy: a.policy, Draws: predict.DefaultDraws, Seed: a.q.Seed}
	waits, err := d.Waits(a.machine, a.requests)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for i, w := range waits {
		var bounds []predict.Bound
		for _, level := range a.q.Quantiles {
			b, _ := w.Bound(level, a.q.Confidence)
			b.Achieved = math.NaN() // it is about the draws: of the waits themselves nobody knows
			bounds = append(bounds, b)
		}
		size, mean := a.requests[i].Size, w.Mean()
		if math.IsInf(mean, 1) {
			mean = math.NaN()
			a.miss(name, size, "some schedules have no end in sight (32 years), so that there is no mean, nor a quantile that reaches them")
		}
		a.row(size, name, mean, bounds, len(w))
	}
	return nil
}
