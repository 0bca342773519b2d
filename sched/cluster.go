package sched

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/strict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Cluster describes a machine with several resources. Its nodes form disjoint pools of
// identical nodes, and each partition may use some of the pools. Partitions that name the
// same pool share it.
//
// A job runs in one pool: the first of its partition's pools in which the policy
// can start it. If WholeNodes is true, the job takes enough nodes for all the resources
// that it requests. Otherwise it takes the requested amounts from the totals of the
// pool; its placement on nodes is not simulated.
//
// A job that requests a kind of GPU (workload.Request.GPUType) runs in pools of that
// kind, and in pools without a kind.
//
// A resource that no pool has is not simulated: jobs may request any amount of it.
type Cluster struct {
	WholeNodes bool   `opt:"whole_nodes"`
	Pools      []Pool `opt:"pools" required:"true" want:"a list of pools"`
	// Partitions lists the partitions that jobs name (Request.Partition); jobs of other
	// partitions are left out. nil means one partition with all pools, for all jobs.
	Partitions []Partition `opt:"partitions"`
}

// Pool describes a number of identical nodes.
type Pool struct {
	Name string `opt:"name" required:"true" want:"a name"`
	// Nodes is the number of nodes, or 0 if it is unknown; the amounts are then those
	// of the whole pool.
	Nodes      int64   `opt:"nodes" in:"[1,1125899906842624]" want:"a whole number of 1 or more, or no nodes where the amounts are those of the pool"`
	Processors int64   `opt:"processors" in:"[0,1125899906842624]"` // of a node
	GPUs       int64   `opt:"gpus" in:"[0,1125899906842624]"`       // of a node
	GPUType    string  `opt:"gpu_type"`                             // kind of the GPUs; "" serves every request
	MemoryGB   float64 `opt:"memory_gb" in:"[0,1073741824]"`        // GB, of a node
}

// Partition lists the pools that its jobs may use, in the order in which they are tried.
type Partition struct {
	Name  string   `opt:"name" required:"true" want:"a name"` // name or number in the log
	Pools []string `opt:"pools" required:"true" want:"a list of names of pools"`
}

// mostAmount limits the total of all pools in processors, GPUs, KB or nodes, so that sums do
// not overflow.
const mostAmount = 1 << 50

// mostPools is the largest number of pools of a machine: sets of pools are 64-bit masks.
const mostPools = 64

// KBPerGB is the number of KB in a GB, as in Slurm.
const KBPerGB = 1 << 20

// Validate returns an error if the cluster cannot be simulated: a *workload.OptionError whose
// option is a path such as "pools[1].nodes".
func (c *Cluster) Validate() error {
	for i := range c.Pools {
		if err := opt.Check(&c.Pools[i]); err != nil {
			return err
		}
	}
	return c.Check()
}

// Check returns a *workload.OptionError for a fault that the ranges in the tags cannot express.
func (c *Cluster) Check() error {
	if n := len(c.Pools); n == 0 || n > mostPools {
		return workload.OptionFault("pools", fmt.Sprintf("%d pools", n), "1 to %d", mostPools)
	}
	for i := range c.Pools {
		p, path := &c.Pools[i], fmt.Sprintf("pools[%d]", i)
		switch {
		case c.pool(p.Name) < i:
			return workload.OptionFault(path+".name", strconv.Quote(p.Name), "each pool once")
		case c.WholeNodes && p.Nodes == 0:
			return workload.OptionFault(path+".nodes", "none", "their number, because jobs take whole nodes")
		case !c.WholeNodes && p.Processors == 0 && p.GPUs == 0 && p.MemoryGB == 0:
			return workload.OptionFault(path, "no resource", "processors, GPUs or memory")
		}
	}
	for _, r := range Resources() {
		if sum := c.sum(r); sum > mostAmount {
			return workload.OptionFault("pools", fmt.Sprintf("%g %s in all", sum, r.Name()), "at most %d", int64(mostAmount))
		}
	}
	for i, x := range c.Partitions {
		path := fmt.Sprintf("partitions[%d].", i)
		if c.partition(x.Name) < i {
			return workload.OptionFault(path+"name", strconv.Quote(x.Name), "each partition once")
		}
		if len(x.Pools) == 0 {
			return workload.OptionFault(path+"pools", "no pool", "1 or more")
		}
		for k, name := range x.Pools {
			at := fmt.Sprintf("%spools[%d]", path, k)
			switch {
			case c.pool(name) < 0:
				return workload.OptionFault(at, strconv.Quote(name), "the name of one of the pools")
			case slices.Index(x.Pools, name) < k:
				return workload.OptionFault(at, strconv.Quote(name), "each pool once")
			}
		}
	}
	return nil
}

// pool returns the index of the pool with the given name, or -1 if there is none.
func (c *Cluster) pool(name string) int {
	return slices.IndexFunc(c.Pools, func(p Pool) bool { return p.Name == name })
}

// partition returns the index of the partition with the given name, or -1 if there is none.
func (c *Cluster) partition(name string) int {
	return slices.IndexFunc(c.Partitions, func(p Partition) bool { return p.Name == name })
}

// sum returns the total amount of a resource in all pools, in units of the resource.
func (c *Cluster) sum(r Resource) (sum float64) {
	for i := range c.Pools {
		node := c.Pools[i].node()
		sum += float64(max(1, c.Pools[i].Nodes)) * float64(node[r]/r.PerUnit())
	}
	return sum
}

// Capacity returns the total amount of a resource in all pools, in the units of
// State.Held. It is 0 if the resource is not simulated.
func (c *Cluster) Capacity(r Resource) int64 {
	sum := int64(0)
	for i := range c.Pools {
		sum += c.capacity(i)[r]
	}
	return sum
}

// node returns the amounts of one node of a pool.
func (p *Pool) node() amounts {
	return amounts{Processors: p.Processors, GPUs: p.GPUs * GPUs.PerUnit(), Memory: int64(math.Round(p.MemoryGB * KBPerGB)), Nodes: 1}
}

// nodes returns the amounts of n nodes.
func (p *Pool) nodes(n int64) amounts {
	a := p.node()
	for r := range a {
		a[r] *= n
	}
	return a
}

// capacity returns the amounts of the i-th pool. Nodes are counted only with WholeNodes.
func (c *Cluster) capacity(i int) amounts {
	p := &c.Pools[i]
	a := p.nodes(max(1, p.Nodes))
	if !c.WholeNodes {
		a[Nodes] = 0
	}
	return a
}

// take returns the amounts that a job with the given need takes from the i-th pool. If
// the job can never run there, ok is false and short is the resource that is too small.
func (c *Cluster) take(i int, need *amounts, simulated *[numResources]bool) (take amounts, short Resource, ok bool) {
	if c.WholeNodes {
		return c.Pools[i].takeWhole(need, simulated)
	}
	return c.takeShared(i, need, simulated)
}

// takeWhole is take for whole nodes: it takes enough nodes for all resources.
func (p *Pool) takeWhole(need *amounts, simulated *[numResources]bool) (take amounts, short Resource, ok bool) {
	node := p.node()
	nodes, most := max(1, need[Nodes]), Nodes
	for r := range Nodes {
		if need[r] == 0 || !simulated[r] {
			continue
		}
		n := int64(math.MaxInt64)
		if node[r] > 0 {
			n = 1 + (need[r]-1)/node[r]
		}
		if n > nodes {
			nodes, most = n, r
		}
	}
	if nodes > p.Nodes {
		return take, most, false
	}
	return p.nodes(nodes), 0, true
}

// takeShared is take for shared nodes: it takes the need. If the job requests a number of
// nodes, an equal share of the need must fit on each node.
func (c *Cluster) takeShared(i int, need *amounts, simulated *[numResources]bool) (take amounts, short Resource, ok bool) {
	p, all := &c.Pools[i], c.capacity(i)
	node, nodes := p.node(), int64(0)
	if p.Nodes > 0 {
		if nodes = need[Nodes]; nodes > p.Nodes {
			return take, Nodes, false
		}
	}
	for r := range Nodes {
		if !simulated[r] {
			continue
		}
		if need[r] > all[r] || (nodes > 0 && need[r] > node[r]*nodes) {
			return take, r, false
		}
		take[r] = need[r]
	}
	return take, 0, true
}

// String returns the totals of the machine, such as "4 whole nodes with 96
// processors, 8 GPUs and 512 GB of memory in 2 pools".
func (c *Cluster) String() string {
	var all []string
	add := func(n float64, what string) {
		if n > 0 {
			all = append(all, fmt.Sprintf("%.10g %s", n, what))
		}
	}
	add(c.sum(Processors), "processors")
	add(c.sum(GPUs), "GPUs")
	add(c.sum(Memory)/KBPerGB, "GB of memory")
	text := strings.Join(all, ", ")
	if i := strings.LastIndex(text, ", "); i >= 0 {
		text = text[:i] + " and" + text[i+1:]
	}
	if nodes := c.nodes(); c.WholeNodes {
		text = strings.TrimSuffix(fmt.Sprintf("%d whole nodes with %s", nodes, text), " with ")
	}
	if n := len(c.Pools); n > 1 {
		text += fmt.Sprintf(" in %d pools", n)
	}
	return text
}

// nodes returns the number of nodes, or 0 if it is unknown for any pool.
func (c *Cluster) nodes() (sum int64) {
	for i := range c.Pools {
		if c.Pools[i].Nodes == 0 {
			return 0
		}
		sum += c.Pools[i].Nodes
	}
	return sum
}

// ClusterSchema is the name and version of the file format of a Cluster.
const ClusterSchema = "loadstone.machine/1"

// clusterFile is the content of a file with a Cluster.
type clusterFile struct {
	Schema string `opt:"schema" required:"true"`
	Cluster
}

// Choices returns the allowed values of a key, or nil if the key is not an enumeration.
func (*clusterFile) Choices(key string) []string {
	if key == "schema" {
		return []string{ClusterSchema}
	}
	return nil
}

// DecodeCluster decodes the description of a machine, in JSON or YAML, or the output of Slurm's
// "scontrol show nodes". Errors are of type *workload.InputError, with the given file name and
// the line.
func DecodeCluster(name string, data []byte) (*Cluster, error) {
	if bytes.HasPrefix(data, []byte("NodeName=")) {
		return decodeSlurmNodes(name, data)
	}
	var f clusterFile
	if _, err := strict.Decode(name, data, &f); err != nil {
		return nil, err
	}
	return &f.Cluster, nil
}
