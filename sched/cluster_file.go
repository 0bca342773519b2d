package sched

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/jsonfault"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ClusterSchema names the JSON form of a Cluster and its version.
const ClusterSchema = "loadstone.machine/1"

// clusterFile is a Cluster in JSON.
type clusterFile struct {
	Schema     string          `json:"schema" want:"loadstone.machine/1"`
	WholeNodes bool            `json:"whole_nodes,omitempty"`
	Pools      []poolFile      `json:"pools"`
	Partitions []partitionFile `json:"partitions,omitempty"`
}

type poolFile struct {
	Name       string  `json:"name" want:"a name in quotes"`
	Nodes      *int64  `json:"nodes,omitempty" want:"a whole number of 1 or more, or no \"nodes\" where the amounts are those of the pool"`
	Processors int64   `json:"processors,omitempty"`
	GPUs       int64   `json:"gpus,omitempty"`
	GPUType    string  `json:"gpu_type,omitempty"`
	MemoryGB   float64 `json:"memory_gb,omitempty"`
}

type partitionFile struct {
	Name  string   `json:"name" want:"a name in quotes"`
	Pools []string `json:"pools" want:"a list of names of pools"`
}

// KBPerGB is how many KB a GB has, as Slurm counts them.
const KBPerGB = 1 << 20

// DecodeCluster reads the description of a machine. A key that it does not know or
// that is given twice, a pool or a partition without a name, and a number of nodes that
// is not above 0 are errors. Errors are *workload.InputError with the file's name.
func DecodeCluster(name string, data []byte) (*Cluster, error) {
	var f clusterFile
	if err := jsonfault.Strict(data, ClusterSchema, &f); err != nil {
		var fault *jsonfault.Fault
		if errors.As(err, &fault) {
			return nil, &workload.InputError{File: name, Line: int64(fault.Line), Field: fault.Path, Saw: fault.Saw, Want: fault.Want}
		}
		return nil, &workload.InputError{File: name, Err: err}
	}
	c, err := f.cluster()
	if err == nil {
		err = c.Validate()
	}
	if err != nil {
		return nil, &workload.InputError{File: name, Err: err}
	}
	return c, nil
}

func (f *clusterFile) cluster() (*Cluster, error) {
	c := &Cluster{WholeNodes: f.WholeNodes}
	for i, p := range f.Pools {
		nodes := int64(0)
		switch {
		case p.Name == "":
			return nil, fmt.Errorf("pools[%d].name: saw an empty name, want a name", i)
		case p.Nodes != nil && *p.Nodes < 1:
			return nil, fmt.Errorf("pool %q: saw %d nodes, want 1 or more, or no \"nodes\" where the amounts are those of the pool", p.Name, *p.Nodes)
		case p.Nodes != nil:
			nodes = *p.Nodes
		}
		memory := math.Round(p.MemoryGB * KBPerGB)
		if !(memory >= 0 && memory <= most) {
			return nil, fmt.Errorf("pool %q: saw memory_gb %g, want 0 to %d", p.Name, p.MemoryGB, most/KBPerGB)
		}
		c.Pools = append(c.Pools, Pool{p.Name, nodes, p.Processors, p.GPUs, p.GPUType, int64(memory)})
	}
	for i, x := range f.Partitions {
		if x.Name == "" {
			return nil, fmt.Errorf("partitions[%d].name: saw an empty name, want a name", i)
		}
		p := Partition{Name: x.Name}
		for _, name := range x.Pools {
			i := slices.IndexFunc(f.Pools, func(p poolFile) bool { return p.Name == name })
			if i < 0 {
				return nil, fmt.Errorf("partition %q: saw pool %q, want the name of one of the pools", x.Name, name)
			}
			p.Pools = append(p.Pools, i)
		}
		c.Partitions = append(c.Partitions, p)
	}
	return c, nil
}
