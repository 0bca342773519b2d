package plan

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options of a Planner. The zero value gives the defaults.
type Options struct {
	// Policy is sched.EASY (nil), which backfills by time limits, or sched.FCFS. A queue
	// with priorities is served in the order that Machine has it in.
	Policy sched.Policy
	// Budget is the largest number of jobs that all schedules of a plan
	// simulate together, at about a million per second.
	Budget int `opt:"budget" in:"[1,)" default:"500000"`
	// Draws is the largest number of schedules that are simulated, at least
	// FewestDraws. The Budget can reduce it, but not below FewestDraws.
	Draws int `opt:"draws" in:"[19,)" default:"100"`
	// Depth is the number of queued jobs of a machine that are simulated; 0
	// means 1000, or a quarter of the running jobs if that is more.
	Depth int `opt:"depth" in:"[0,)"`
	// Limits are the time limits, s, for which requests are answered without
	// interpolation, ascending; nil means 15 limits from a minute to 30 days.
	Limits []float64
	// Quantiles are the shares of starts that the bounds cover, ascending in
	// (0, 1); nil means 0.5, 0.8 and 0.95.
	Quantiles []float64
	// Seed is that of the draws.
	Seed uint64
	// Workers is the number of schedules that are simulated at once.
	Workers int `opt:"workers" in:"[1,)" default:"1"`
}

// FewestDraws is the least number of schedules: the latest of 19 starts is as late as the
// twentieth with probability 0.95.
const FewestDraws = 19

func (o Options) filled() Options {
	if o.Policy == nil {
		o.Policy = sched.EASY{}
	}
	opt.Fill(&o)
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

// Check returns the fault of options that no tag can tell.
func (o *Options) Check() error {
	switch {
	case o.Policy != (sched.EASY{}) && o.Policy != (sched.FCFS{}):
		return workload.OptionFault("policy", o.Policy.Name(), "easy or fcfs")
	case !ascending(o.Limits, math.Inf(1)):
		return workload.OptionFault("limits", o.Limits, "ascending finite numbers above 0")
	case !ascending(o.Quantiles, 1):
		return workload.OptionFault("quantiles", o.Quantiles, "ascending numbers above 0 and below 1")
	}
	return nil
}

// ascending says whether numbers ascend between 0 and another one.
func ascending(numbers []float64, below float64) bool {
	last := 0.0
	for _, x := range numbers {
		if !(x > last && x < below) {
			return false
		}
		last = x
	}
	return true
}
