package sched

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// needs returns what a job asks for of each resource, 0 where the log does not say.
func needs(j *workload.Job) amounts {
	var a amounts
	a[Processors] = max(0, j.Size)
	if m := j.Memory * float64(j.Size); m > 0 && j.Size > 0 {
		a[Memory] = int64(math.Ceil(min(m, 2*most)))
	}
	return a
}

// unfit says why a job cannot be simulated on a Cluster: the rule and the text of a
// warning, empty where it can.
func (p *pools) unfit(j *workload.Job) (rule, text string) {
	rule, text = Unfit(j)
	if need := needs(j); rule == "no-size" && need != (amounts{}) {
		timed := *j
		timed.Size = 1
		rule, text = Unfit(&timed)
	}
	if rule != "" {
		return rule, text
	}
	if len(p.partition(j.Partition)) == 0 {
		return "no-partition", "jobs left out of the simulation: the machine does not have their partition"
	}
	short, ok := p.find(j)
	switch {
	case ok:
		return "", ""
	case short == numResources:
		return "larger-than-machine", "jobs left out of the simulation: no pool of their partition has enough of everything that they ask for"
	}
	return "larger-than-machine-" + short.Name(), "jobs left out of the simulation: no pool of their partition has as many " + short.Name() + " as they ask for"
}
