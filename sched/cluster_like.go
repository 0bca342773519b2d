package sched

import (
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// LikeNodes returns a machine of one pool of like nodes that have so much together;
// memory is in KB. Where nodes is 0 their number is not known. What is not 0 must be
// a multiple of nodes. Errors are *workload.OptionError.
func LikeNodes(nodes, processors, gpus, memory int64, whole bool) (*Cluster, error) {
	for _, x := range []struct {
		option string
		value  int64
	}{{"nodes", nodes}, {"procs", processors}, {"gpus", gpus}, {"memory-gb", memory}} {
		switch {
		case x.value < 0 || x.value > most:
			return nil, workload.OptionFault(x.option, x.value, "0 to %d", int64(most))
		case nodes > 0 && x.value%nodes != 0 && x.option != "memory-gb":
			return nil, workload.OptionFault(x.option, x.value, "a multiple of `nodes` %d: nodes are alike; `machine` describes others", nodes)
		}
	}
	if whole && nodes == 0 {
		return nil, workload.OptionFault("whole-nodes", true, "`nodes` with it")
	}
	n := max(1, nodes)
	c := &Cluster{Pools: []Pool{{Name: "all", Nodes: nodes, Processors: processors / n, GPUs: gpus / n, Memory: memory / n}}, WholeNodes: whole}
	return c, c.Validate()
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
