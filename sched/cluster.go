package sched

import (
	"fmt"
	"math"
	"strings"
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
// A job that asks for a kind of GPU (workload.Asked.GPUType) runs in pools of that
// kind, and in those that have none.
//
// A resource that no pool has is not simulated: jobs may ask for any amount of it.
type Cluster struct {
	Pools []Pool
	// Partitions are those that jobs name (Request.Partition); jobs of others are
	// left out. nil is one partition of all pools, for all jobs.
	Partitions []Partition
	WholeNodes bool
}

// Pool is a number of like nodes.
type Pool struct {
	Name string
	// Nodes is their number; 0 where it is not known: then the amounts are those of
	// the whole pool.
	Nodes      int64
	Processors int64  // of a node
	GPUs       int64  // of a node
	GPUType    string // kind of the GPUs; "" serves every request
	Memory     int64  // KB, of a node
}

// Partition is some of the pools, in the order in which they are tried.
type Partition struct {
	Name  string // the name of the log's partition, or its number
	Pools []int  // in Cluster.Pools
}

// most bounds what all pools have in processors, GPUs, KB or nodes, so that sums hold.
const most = 1 << 50

// mostPools is how many pools a machine may have: a job has a bit for each.
const mostPools = 64

// Validate returns an error for the first thing that cannot be simulated.
func (c *Cluster) Validate() error {
	if n := len(c.Pools); n == 0 || n > mostPools {
		return fmt.Errorf("the machine has %d pools, want 1 to %d", n, mostPools)
	}
	pools := map[string]bool{}
	for i := range c.Pools {
		p := &c.Pools[i]
		if pools[p.Name] {
			return fmt.Errorf("pool %q is given twice", p.Name)
		}
		pools[p.Name] = true
		if err := p.validate(c.WholeNodes); err != nil {
			return fmt.Errorf("pool %q: %w", p.Name, err)
		}
	}
	for _, r := range Resources() {
		if sum := c.sum(r); sum > most {
			return fmt.Errorf("the pools have %g %s in all, want at most %d", sum, r.Name(), int64(most))
		}
	}
	partitions := map[string]bool{}
	for _, x := range c.Partitions {
		if partitions[x.Name] {
			return fmt.Errorf("partition %q is given twice", x.Name)
		}
		partitions[x.Name] = true
		if err := c.validatePools(x.Pools); err != nil {
			return fmt.Errorf("partition %q: %w", x.Name, err)
		}
	}
	return nil
}

func (p *Pool) validate(whole bool) error {
	for _, x := range []struct {
		name  string
		value int64
	}{{"nodes", p.Nodes}, {"processors", p.Processors}, {"GPUs", p.GPUs}, {"KB of memory", p.Memory}} {
		if x.value < 0 || x.value > most {
			return fmt.Errorf("saw %d %s, want 0 to %d", x.value, x.name, int64(most))
		}
	}
	switch {
	case whole && p.Nodes == 0:
		return fmt.Errorf("saw no number of nodes, want one where jobs take whole nodes")
	case !whole && p.Processors == 0 && p.GPUs == 0 && p.Memory == 0:
		return fmt.Errorf("saw no resource, want processors, GPUs or memory")
	}
	return nil
}

func (c *Cluster) validatePools(pools []int) error {
	if len(pools) == 0 {
		return fmt.Errorf("saw no pool, want at least 1")
	}
	seen := map[int]bool{}
	for _, i := range pools {
		switch {
		case i < 0 || i >= len(c.Pools):
			return fmt.Errorf("saw pool %d, want 0 to %d", i, len(c.Pools)-1)
		case seen[i]:
			return fmt.Errorf("pool %q is given twice", c.Pools[i].Name)
		}
		seen[i] = true
	}
	return nil
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
	return amounts{Processors: p.Processors, GPUs: p.GPUs * GPUs.PerUnit(), Memory: p.Memory, Nodes: 1}
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
