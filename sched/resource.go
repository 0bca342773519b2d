package sched

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Resource is a kind of resource that a machine has and jobs take.
type Resource int

// The resources of a Cluster. GPUs are counted in thousandths, because jobs may
// share a GPU, and memory in KB.
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

// word returns the name of the resource in messages.
func (r Resource) word() string {
	return [numResources]string{"processors", "GPUs", "memory", "nodes"}[r]
}

// PerUnit returns the amount, as counted by State, that corresponds to one unit of the
// resource: 1000 for GPUs, else 1.
func (r Resource) PerUnit() int64 {
	if r == GPUs {
		return 1000
	}
	return 1
}

// amounts holds an amount of each resource.
type amounts [numResources]int64

// covers reports whether a is at least need in every resource.
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

// Demand returns the amount of a resource that a job requests, in the units of
// State.Held. It is 0 if the log does not record it.
func Demand(j *workload.Job, r Resource) int64 { return needs(j)[r] }

// needs returns the amounts that a job requests, 0 if the log does not record them. Memory is
// that of the whole job or, if unknown, the memory per processor times the size.
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
