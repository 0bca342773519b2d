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
