package population

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// measure chooses the unit of sizes and gives jobs their sizes in it: processors, and
// in a log that has none GPUs or nodes, whichever more jobs have; GPUs if as many. Jobs
// without a size are left out.
func (c *Collector) measure() population.Unit {
	unit := population.OfProcessors
	if !slices.ContainsFunc(c.jobs, func(j job) bool { return j.size > 0 }) {
		gpus, nodes := 0, 0
		for i := range c.jobs {
			x := c.combination(i)
			if x.taken(population.OfGPUs) > 0 {
				gpus++
			}
			if x.taken(population.OfNodes) > 0 {
				nodes++
			}
		}
		if gpus+nodes > 0 {
			unit = population.OfGPUs
		}
		if nodes > gpus {
			unit = population.OfNodes
		}
		for i := range c.jobs {
			x := c.combination(i)
			c.jobs[i].size = max(0, x.taken(unit))
		}
	}
	all := len(c.jobs)
	c.jobs = slices.DeleteFunc(c.jobs, func(j job) bool { return j.size < 1 || j.size > population.MaxProcessors })
	c.unusable += int64(all - len(c.jobs))
	return unit
}

// machine is the machine's size in a unit, 0 where the header does not tell it.
func machine(unit population.Unit, header *workload.Header) (n int64) {
	switch unit {
	case population.OfGPUs:
		n, _ = header.Int(workload.MaxGPUs)
	case population.OfNodes:
		n, _ = header.Int("MaxNodes")
	default:
		n, _ = header.Processors()
	}
	return n
}
