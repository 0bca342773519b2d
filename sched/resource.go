package sched

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Resource is something of which a machine has an amount and each job takes some.
type Resource int

// The resources of a Cluster. GPUs are counted in thousandths, because jobs may
// share one, and memory in KB.
const (
	Processors Resource = iota
	GPUs
	Memory
	Nodes
	numResources
)

// Resources returns all resources.
func Resources() []Resource { return []Resource{Processors, GPUs, Memory, Nodes} }

// Name returns the resource's name in tables and files: "processors", "gpus",
// "memory_kb" or "nodes".
func (r Resource) Name() string {
	return [numResources]string{"processors", "gpus", "memory_kb", "nodes"}[r]
}

// word is the resource in messages.
func (r Resource) word() string {
	return [numResources]string{"processors", "GPUs", "memory", "nodes"}[r]
}

// PerUnit returns how many amounts of a State make one of the resource as it is named:
// 1000 for GPUs, else 1.
func (r Resource) PerUnit() int64 {
	if r == GPUs {
		return 1000
	}
	return 1
}

// amounts are of each resource.
type amounts [numResources]int64

// covers says whether there is enough for a need.
func (a *amounts) covers(need *amounts) bool {
	return a[Processors] >= need[Processors] && a[GPUs] >= need[GPUs] && a[Memory] >= need[Memory] && a[Nodes] >= need[Nodes]
}

func (a *amounts) add(b *amounts) {
	for r := range a {
		a[r] += b[r]
	}
}

func (a *amounts) subtract(b *amounts) {
	for r := range a {
		a[r] -= b[r]
	}
}

// Demand returns what a job asks for of a resource, in the units of State.Held; 0
// where the log does not say.
func Demand(j *workload.Job, r Resource) int64 { return needs(j)[r] }

// needs returns what a job asks for of each resource, 0 where the log does not say.
// Memory is that of the whole job, else that per processor.
func needs(j *workload.Job) amounts {
	n := amounts{Processors: max(0, j.Size)}
	n[Nodes] = min(max(0, j.TakesNodes), 2*mostAmount)
	share := GPUs.PerUnit()
	if j.GPUShare != workload.Unknown {
		share = min(max(0, j.GPUShare), share)
	}
	n[GPUs] = min(max(0, j.TakesGPUs), 2*mostAmount) * share
	memory := j.MemoryTotal
	if math.IsNaN(memory) && j.Size > 0 {
		memory = j.Memory * float64(j.Size)
	}
	if memory > 0 {
		n[Memory] = int64(math.Ceil(min(memory, 2*mostAmount)))
	}
	return n
}
