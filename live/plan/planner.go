package plan

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Planner learns run times and makes plans. Its methods may be called from
// several goroutines. A plan made while jobs are submitted or end may take only
// some of them into account.
type Planner struct {
	options Options
	mu      sync.Mutex
	kernel  *runtime.Kernel
	settled []outcomes // of the median, and of the bounds
}

// NewPlanner returns a Planner that has seen no job. An option out of range is a
// *workload.OptionError.
func NewPlanner(o Options) (*Planner, error) {
	o = o.filled()
	o.Limits, o.Quantiles = slices.Clone(o.Limits), slices.Clone(o.Quantiles)
	if err := cmp.Or(opt.Check(&o), opt.CheckParts(&o)); err != nil {
		return nil, err
	}
	return &Planner{options: o, kernel: runtime.NewKernel(stats.ByAccuracy), settled: make([]outcomes, 1+len(o.Quantiles))}, nil
}

// Submitted learns that a job is submitted. Calls must be in the order of
// workload.Timeline.
func (p *Planner) Submitted(r workload.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kernel.Predict(r) // it learns from its own predictions
}

// Observe learns the run time of a job that has ended. A job whose run time is
// unknown is ignored.
func (p *Planner) Observe(j workload.Job) {
	if !(j.Run >= 0) || math.IsInf(j.Run, 1) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kernel.Observe(j)
}

// Settled learns the outcome of a forecast of a pending job (Start.Raw): the
// job started waited seconds after the moment of the plan. Once a hundred jobs
// have started, plans correct their answers accordingly. Call it once for each
// job, for the first plan that includes it, so that long waits do not count
// more often than others.
func (p *Planner) Settled(f Forecast, waited float64) {
	if !(waited >= 0) || math.IsInf(waited, 1) || len(f.Bounds) != len(p.options.Quantiles) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.settled {
		said := f.Expected
		if i > 0 {
			said = f.Bounds[i-1]
		}
		if said >= 0 && !math.IsInf(said, 1) {
			p.settled[i].add(outcome{said, waited})
		}
	}
}

// corrections returns the curves of what was settled.
func (p *Planner) corrections() corrections {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := corrections{expected: p.settled[0].curve(0.5, true), quantiles: p.options.Quantiles}
	for i, q := range p.options.Quantiles {
		c.bounds = append(c.bounds, p.settled[i+1].curve(q, false))
	}
	return c
}

// RunTimes returns the distribution of the run time of a request; false if no job has
// ended yet.
func (p *Planner) RunTimes(r workload.Request) (predict.RunTimeDistribution, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d, ok := p.kernel.Distribution(r)
	return &d, ok
}

// Plan simulates schedules of the machines. It is an error if they are
// inconsistent, or if the context is done.
func (p *Planner) Plan(ctx context.Context, machines []Machine) (*Plan, error) {
	if err := validate(machines); err != nil {
		return nil, err
	}
	plan := &Plan{At: machines[0].Time, Quantiles: p.options.Quantiles, starts: map[int64]queued{}, corrections: p.corrections()}
	work := 0
	for i := range machines {
		work += len(machines[i].Running) + min(len(machines[i].Queued), p.options.depth(&machines[i]))
	}
	plan.Draws = min(p.options.Draws, max(FewestDraws, p.options.Budget/max(work, 1)))
	for i := range machines {
		d := &drawing{Planner: p, machine: &machines[i], draws: plan.Draws}
		waits, err := d.run(ctx, plan.starts)
		if err != nil {
			return nil, err
		}
		waits.partitions = slices.Clone(machines[i].Partitions)
		plan.machines = append(plan.machines, waits)
	}
	return plan, nil
}
