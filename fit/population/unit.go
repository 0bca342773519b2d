package population

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// measure chooses the unit of sizes and sets the sizes of jobs in it: processors or, in a log
// without processors, GPUs or nodes, whichever more jobs have (GPUs if equal). It leaves out
// and counts jobs without a size.
func (c *Collector) measure() population.Unit {
	unit := population.OfProcessors
	if !slices.ContainsFunc(c.jobs, func(j job) bool { return j.size > 0 }) {
		gpus, nodes := c.combinations.taken(population.OfGPUs), c.combinations.taken(population.OfNodes)
		have := func(taken []int64) (jobs int) {
			for i := range c.jobs {
				if taken[c.jobs[i].combination] > 0 {
					jobs++
				}
			}
			return jobs
		}
		sizes := gpus
		switch g, n := have(gpus), have(nodes); {
		case n > g:
			unit, sizes = population.OfNodes, nodes
		case g > 0:
			unit = population.OfGPUs
		}
		for i := range c.jobs {
			c.jobs[i].size = max(0, sizes[c.jobs[i].combination])
		}
	}
	all := len(c.jobs)
	c.jobs = slices.DeleteFunc(c.jobs, func(j job) bool { return j.size < 1 || j.size > population.MaxProcessors })
	c.unusable.of[noSize] += int64(all - len(c.jobs))
	return unit
}

// machine returns the machine's size in a unit, 0 if the header does not have it.
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
