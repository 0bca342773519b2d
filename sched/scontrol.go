package sched

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// slurmNode is a node as printed by Slurm's scontrol.
type slurmNode struct {
	Pool
	partitions string // comma-separated
}

// slurmGPUs matches the GPUs of a node's Gres, such as gpu:a100:4(S:0-1).
var slurmGPUs = regexp.MustCompile(`\bgpu(?::([^:(,]+))?:([0-9]+)\b`)

// decodeSlurmNodes decodes the output of "scontrol show nodes", with or without -o. Identical
// nodes in the same partitions form a pool, which has the name of its first node. Nodes that are
// down or drained are included, because they are part of the machine.
func decodeSlurmNodes(name string, data []byte) (*Cluster, error) {
	var nodes []slurmNode
	for i, line := range bytes.Split(data, []byte("\n")) {
		for _, pair := range strings.Fields(string(line)) {
			key, value, _ := strings.Cut(pair, "=")
			if key == "Reason" || key == "Comment" || key == "Extra" { // free text up to the end of the line
				break
			}
			if key == "NodeName" {
				nodes = append(nodes, slurmNode{Pool: Pool{Name: value}})
			}
			if want := nodes[len(nodes)-1].set(key, value); want != "" {
				return nil, &workload.InputError{File: name, Line: int64(i + 1), Field: key, Saw: strconv.Quote(value), Want: want}
			}
		}
	}
	c, kinds := new(Cluster), map[slurmNode]int{}
	for _, n := range nodes {
		if n.partitions == "" { // no job can use it
			continue
		}
		kind := n
		kind.Name = ""
		at, ok := kinds[kind]
		if !ok {
			at = len(c.Pools)
			kinds[kind] = at
			c.Pools = append(c.Pools, n.Pool)
			for partition := range strings.SplitSeq(n.partitions, ",") {
				k := c.partition(partition)
				if k < 0 {
					k = len(c.Partitions)
					c.Partitions = append(c.Partitions, Partition{Name: partition})
				}
				c.Partitions[k].Pools = append(c.Partitions[k].Pools, n.Name)
			}
		}
		c.Pools[at].Nodes++
	}
	if len(c.Pools) == 0 {
		return nil, &workload.InputError{File: name, Saw: "no node with Partitions", Want: "what 'scontrol show nodes' prints"}
	}
	if err := c.Validate(); err != nil {
		return nil, &workload.InputError{File: name, Err: err}
	}
	return c, nil
}

// set sets an attribute of the node; other keys are ignored. If the value is invalid, set returns
// a description of a valid one.
func (n *slurmNode) set(key, value string) (want string) {
	number, err := strconv.ParseUint(value, 10, 50)
	gpus := slurmGPUs.FindAllStringSubmatch(value, -1)
	switch {
	case key == "Partitions":
		n.partitions = value
	case key == "Gres" && len(gpus) > 1:
		return "one kind of GPUs on a node"
	case key == "Gres" && len(gpus) == 1:
		n.GPUType = gpus[0][1]
		n.GPUs, _ = strconv.ParseInt(gpus[0][2], 10, 50)
	case key != "CPUTot" && key != "RealMemory":
	case err != nil:
		return "a whole number of 0 or more"
	case key == "CPUTot":
		n.Processors = int64(number)
	default:
		n.MemoryGB = float64(number) / 1024
	}
	return ""
}
