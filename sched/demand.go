package sched

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Demand returns what a job asks for of a resource, in the units of State.Held; 0
// where the log does not say.
func Demand(j *workload.Job, r Resource) int64 { return needs(j)[r] }

// needs returns what a job asks for of each resource, 0 where the log does not say.
// Memory is that of the whole job, else that per processor.
func needs(j *workload.Job) amounts {
	n := amounts{Processors: max(0, j.Size)}
	memory := math.NaN()
	if j.Asked != nil {
		memory = j.Asked.Memory
		n[Nodes] = min(max(0, j.Asked.TakesNodes), 2*most)
		share := GPUs.PerUnit()
		if x := j.Asked.GPUShare; x != workload.Unknown {
			share = min(max(0, x), share)
		}
		n[GPUs] = min(max(0, j.Asked.TakesGPUs), 2*most) * share
	}
	if math.IsNaN(memory) && j.Size > 0 {
		memory = j.Memory * float64(j.Size)
	}
	if memory > 0 {
		n[Memory] = int64(math.Ceil(min(memory, 2*most)))
	}
	return n
}

const noPartition = "no-partition" // rule of jobs whose partition the machine does not have

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
		return noPartition, "jobs left out of the simulation: the machine does not have their partition"
	}
	short, ok := p.choose(j)
	switch {
	case ok:
		return "", ""
	case short == numResources:
		return "larger-than-machine", "jobs left out of the simulation: no pool that they may use has enough of everything that they ask for"
	}
	return "larger-than-machine-" + short.Name(), "jobs left out of the simulation: no pool that they may use has enough " + short.word() + " for them"
}
