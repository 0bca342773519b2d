package plan

import (
	"math"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options of a Planner. The zero value gives the defaults.
type Options struct {
	// Policy is sched.EASY (nil), which backfills by time limits, or sched.FCFS. A queue
	// with priorities is served in the order that Machine has it in.
	Policy sched.Policy
	// Budget is the largest number of jobs that all schedules of a plan
	// simulate together, at about a million per second; 0 means 500,000.
	Budget int
	// Draws is the largest number of schedules that are simulated, at least
	// FewestDraws; 0 means 100. The Budget can reduce it, but not below
	// FewestDraws.
	Draws int
	// Depth is the number of queued jobs of a machine that are simulated; 0
	// means 1000, or a quarter of the running jobs if that is more.
	Depth int
	// Limits are the time limits, s, for which requests are answered without
	// interpolation, ascending; nil means 15 limits from a minute to 30 days.
	Limits []float64
	// Quantiles are the shares of starts that the bounds cover, ascending in
	// (0, 1); nil means 0.5, 0.8 and 0.95.
	Quantiles []float64
	// Seed is that of the draws.
	Seed uint64
	// Workers is the number of schedules that are simulated at once; 0 means
	// 1.
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
