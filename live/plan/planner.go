package plan

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options of a Planner. The zero value gives the defaults.
type Options struct {
	// Policy is sched.EASY (nil), which backfills by time limits, or sched.FCFS. A queue
	// with priorities is served in the order that Machine has it in.
	Policy sched.Policy
	// Budget is how many jobs all schedules of a plan may simulate, about a million a
	// second; 0 stands for 500,000.
	Budget int
	// Draws is how many schedules are simulated at most, FewestDraws and more; 0 stands for
	// 100. There are fewer where the Budget says so, but not below FewestDraws.
	Draws int
	// Depth is how many queued jobs of a machine are simulated; 0 stands for 1000, or a
	// quarter of those that run where that is more.
	Depth int
	// Limits are the time limits, s, for which requests are answered without
	// interpolation, ascending; nil stands for 15 from a minute to 30 days.
	Limits []float64
	// Quantiles are the shares of starts that the bounds cover, ascending in (0, 1);
	// nil stands for 0.5, 0.8 and 0.95.
	Quantiles []float64
	// Seed is that of the draws.
	Seed uint64
	// Workers is how many schedules are simulated at once; 0 stands for 1.
	Workers int
}

// FewestDraws is the least number of schedules: the latest of 19 starts is as late as the
// twentieth with probability 0.95.
const FewestDraws = 19

func (o Options) filled() Options {
	if o.Policy == nil {
		o.Policy = sched.EASY{}
	}
	fill := func(n *int, to int) {
		if *n == 0 {
			*n = to
		}
	}
	fill(&o.Budget, 500_000)
	fill(&o.Draws, 100)
	fill(&o.Workers, 1)
	if o.Limits == nil {
		const hour = 3600
		o.Limits = []float64{60, 300, 900, 1800, hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour,
			24 * hour, 48 * hour, 96 * hour, 168 * hour, 336 * hour, 720 * hour}
	}
	if o.Quantiles == nil {
		o.Quantiles = []float64{0.5, 0.8, 0.95}
	}
	return o
}

// depth returns how many queued jobs of a machine are simulated.
func (o *Options) depth(m *Machine) int {
	if o.Depth > 0 {
		return o.Depth
	}
	return max(1000, len(m.Running)/4)
}

func (o *Options) validate() error {
	if o.Policy != (sched.EASY{}) && o.Policy != (sched.FCFS{}) {
		return workload.OptionFault("policy", o.Policy.Name(), "easy or fcfs")
	}
	for _, n := range []struct {
		name  string
		value int
		least int
	}{{"budget", o.Budget, 1}, {"draws", o.Draws, FewestDraws}, {"depth", o.Depth, 0}, {"workers", o.Workers, 1}} {
		if n.value < n.least {
			return workload.OptionFault(n.name, n.value, "at least %d", n.least)
		}
	}
	before := 0.0
	for _, l := range o.Limits {
		if !(l > before) || math.IsInf(l, 1) {
			return workload.OptionFault("limits", l, "ascending finite numbers above 0")
		}
		before = l
	}
	last := 0.0
	for _, q := range o.Quantiles {
		if !(q > last && q < 1) {
			return workload.OptionFault("quantiles", q, "ascending numbers above 0 and below 1")
		}
		last = q
	}
	return nil
}

// Planner learns run times and makes plans. Its methods may be called from several
// goroutines. A plan made while jobs are submitted or end rests on some of them.
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
	if err := o.validate(); err != nil {
		return nil, err
	}
	k, err := runtime.NewKernel(runtime.Options{})
	return &Planner{options: o, kernel: k, settled: make([]outcomes, 1+len(o.Quantiles))}, err
}

// Submitted learns that a job is submitted. Jobs are told of in the order of
// workload.Timeline.
func (p *Planner) Submitted(r workload.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kernel.Predict(r) // it learns from its own predictions
}

// Observe learns the run time of a job that has ended. A job whose run time is unknown
// teaches nothing.
func (p *Planner) Observe(j workload.Job) {
	if !(j.Run >= 0) || math.IsInf(j.Run, 1) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kernel.Observe(j)
}

// Settled learns what came of a forecast of a pending job (Start.Raw): waited is how long
// after the moment of the plan the job started, s. From what it has learned plans correct
// their answers, once a hundred jobs have started. To learn of each job once, at the first
// plan that it is in, keeps long waits from counting more often than others.
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

// Plan simulates schedules of the machines. It is an error if they contradict themselves,
// or the context's if that is done.
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
