package sched

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/strict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ClusterSchema names the file form of a Cluster and its version.
const ClusterSchema = "loadstone.machine/1"

// clusterFile is a Cluster as a file has it, with pools by name and memory in GB.
type clusterFile struct {
	Schema     string          `opt:"schema" required:"true"`
	WholeNodes bool            `opt:"whole_nodes"`
	Pools      []poolFile      `opt:"pools" required:"true" want:"a list of pools"`
	Partitions []partitionFile `opt:"partitions"`
}

type poolFile struct {
	Name       string  `opt:"name" required:"true" want:"a name"`
	Nodes      int64   `opt:"nodes" in:"[1,1125899906842624]" want:"a whole number of 1 or more, or no nodes where the amounts are those of the pool"`
	Processors int64   `opt:"processors" in:"[0,1125899906842624]"`
	GPUs       int64   `opt:"gpus" in:"[0,1125899906842624]"`
	GPUType    string  `opt:"gpu_type"`
	MemoryGB   float64 `opt:"memory_gb" in:"[0,1073741824]"`
}

type partitionFile struct {
	Name  string   `opt:"name" required:"true" want:"a name"`
	Pools []string `opt:"pools" required:"true" want:"a list of names of pools"`
}

// Choices are the values of keys that take one of some.
func (clusterFile) Choices(key string) []string {
	if key == "schema" {
		return []string{ClusterSchema}
	}
	return nil
}

// KBPerGB is how many KB a GB has, as Slurm counts them.
const KBPerGB = 1 << 20

// DecodeCluster reads the description of a machine, in JSON or YAML. Errors are
// *workload.InputError with the file's name and the line.
func DecodeCluster(name string, data []byte) (*Cluster, error) {
	var f clusterFile
	file, err := strict.Decode(name, data, &f)
	if err != nil {
		return nil, err
	}
	c := &Cluster{WholeNodes: f.WholeNodes}
	for _, p := range f.Pools {
		c.Pools = append(c.Pools, Pool{p.Name, p.Nodes, p.Processors, p.GPUs, p.GPUType, int64(math.Round(p.MemoryGB * KBPerGB))})
	}
	for i, x := range f.Partitions {
		p := Partition{Name: x.Name}
		for k, name := range x.Pools {
			pool := slices.IndexFunc(f.Pools, func(p poolFile) bool { return p.Name == name })
			if pool < 0 {
				return nil, file.Fault(fmt.Sprintf("partitions[%d].pools[%d]", i, k), workload.OptionFault("", strconv.Quote(name), "the name of one of the pools"))
			}
			p.Pools = append(p.Pools, pool)
		}
		c.Partitions = append(c.Partitions, p)
	}
	if err := c.Validate(); err != nil {
		return nil, &workload.InputError{File: name, Err: err}
	}
	return c, nil
}
