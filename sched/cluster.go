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

// Cluster describes a machine of several resources: disjoint pools of like nodes,
// and partitions that may use some of them. Partitions that name the same pool
// overlap there.
//
// A job runs in one pool: the first of its partition's pools in which the policy
// can start it. Where nodes are whole it takes as many as each resource asks for;
// where they are shared it takes what it asks for from the pool's sum, and where it
// stands on the nodes is not simulated.
//
// A job that asks for a kind of GPU (workload.Request.GPUType) runs in pools of that
// kind, and in those that have none.
//
// A resource that no pool has is not simulated: jobs may ask for any amount of it.
type Cluster struct {
	WholeNodes bool   `opt:"whole_nodes"`
	Pools      []Pool `opt:"pools" required:"true" want:"a list of pools"`
	// Partitions are those that jobs name (Request.Partition); jobs of others are
	// left out. nil is one partition of all pools, for all jobs.
	Partitions []Partition `opt:"partitions"`
}

// Pool is a number of like nodes.
type Pool struct {
	Name string `opt:"name" required:"true" want:"a name"`
	// Nodes is their number; 0 where it is not known: then the amounts are those of
	// the whole pool.
	Nodes      int64   `opt:"nodes" in:"[1,1125899906842624]" want:"a whole number of 1 or more, or no nodes where the amounts are those of the pool"`
	Processors int64   `opt:"processors" in:"[0,1125899906842624]"` // of a node
	GPUs       int64   `opt:"gpus" in:"[0,1125899906842624]"`       // of a node
	GPUType    string  `opt:"gpu_type"`                             // kind of the GPUs; "" serves every request
	MemoryGB   float64 `opt:"memory_gb" in:"[0,1073741824]"`        // GB, of a node
}

// Partition is some of the pools, in the order in which they are tried.
type Partition struct {
	Name  string   `opt:"name" required:"true" want:"a name"` // of the log's partition, or its number
	Pools []string `opt:"pools" required:"true" want:"a list of names of pools"`
}

// mostAmount bounds what all pools have in processors, GPUs, KB or nodes, so that sums hold.
const mostAmount = 1 << 50

// mostPools is how many pools a machine may have: a job has a bit for each.
const mostPools = 64

// KBPerGB is how many KB a GB has, as Slurm counts them.
const KBPerGB = 1 << 20

// Validate returns a *workload.OptionError for the first thing that cannot be simulated; its
// option is a path such as "pools[1].nodes".
func (c *Cluster) Validate() error {
	for i := range c.Pools {
		if err := opt.Check(&c.Pools[i]); err != nil {
			return err
		}
	}
	return c.Check()
}

// Check finds what the ranges of single amounts cannot say.
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

// pool returns the index of the pool with a name, -1 where there is none.
func (c *Cluster) pool(name string) int {
	return slices.IndexFunc(c.Pools, func(p Pool) bool { return p.Name == name })
}

// partition returns the index of the partition with a name, -1 where there is none.
func (c *Cluster) partition(name string) int {
	return slices.IndexFunc(c.Partitions, func(p Partition) bool { return p.Name == name })
}

// sum returns what all pools have of a resource.
func (c *Cluster) sum(r Resource) (sum float64) {
	for i := range c.Pools {
		node := c.Pools[i].node()
		sum += float64(max(1, c.Pools[i].Nodes)) * float64(node[r]/r.PerUnit())
	}
	return sum
}

// Capacity returns what all pools have of a resource, in the units of State.Held;
// 0 where it is not simulated.
func (c *Cluster) Capacity(r Resource) int64 {
	sum := int64(0)
	for i := range c.Pools {
		sum += c.capacity(i)[r]
	}
	return sum
}

// node returns what one node of a pool has.
func (p *Pool) node() amounts {
	return amounts{Processors: p.Processors, GPUs: p.GPUs * GPUs.PerUnit(), Memory: int64(math.Round(p.MemoryGB * KBPerGB)), Nodes: 1}
}

// nodes returns what so many nodes have.
func (p *Pool) nodes(n int64) amounts {
	a := p.node()
	for r := range a {
		a[r] *= n
	}
	return a
}

// capacity returns what a pool has. Nodes are counted only where they are whole.
func (c *Cluster) capacity(i int) amounts {
	p := &c.Pools[i]
	a := p.nodes(max(1, p.Nodes))
	if !c.WholeNodes {
		a[Nodes] = 0
	}
	return a
}

// take returns what a job with a need takes of a pool. Where it can never run
// there it says of which resource there is too little.
func (c *Cluster) take(i int, need *amounts, simulated *[numResources]bool) (take amounts, short Resource, ok bool) {
	if c.WholeNodes {
		return c.Pools[i].takeWhole(need, simulated)
	}
	return c.takeShared(i, need, simulated)
}

// takeWhole takes as many nodes as each resource asks for.
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

// takeShared takes what is asked for. A job that says on how many nodes it runs
// must find an equal share of it on each.
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

// String returns what the machine has in all, such as "4 whole nodes with 96
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

// nodes returns how many there are; 0 where a pool does not say.
func (c *Cluster) nodes() (sum int64) {
	for i := range c.Pools {
		if c.Pools[i].Nodes == 0 {
			return 0
		}
		sum += c.Pools[i].Nodes
	}
	return sum
}

// ClusterSchema names the file form of a Cluster and its version.
const ClusterSchema = "loadstone.machine/1"

// clusterFile is a Cluster as a file has it.
type clusterFile struct {
	Schema string `opt:"schema" required:"true"`
	Cluster
}

// Choices are the values of keys that take one of some.
func (*clusterFile) Choices(key string) []string {
	if key == "schema" {
		return []string{ClusterSchema}
	}
	return nil
}

// DecodeCluster reads the description of a machine, in JSON or YAML, or what Slurm's "scontrol show
// nodes" prints. Errors are *workload.InputError with the file's name and the line.
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
