package sched

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// slurmNode is a node as Slurm's scontrol prints it.
type slurmNode struct {
	Pool
	partitions string
}

var slurmGPUs = regexp.MustCompile(`^gpu(?::([^:(,]+))?:([0-9]+)(?:\(|$)`)

// decodeSlurmNodes reads what "scontrol show nodes" prints, with or without -o: like nodes of the
// same partitions are a pool, whose name is that of the first. Nodes that are down or drained
// count too: they are part of the machine.
func decodeSlurmNodes(name string, data []byte) (*Cluster, error) {
	var nodes []slurmNode
	for i, line := range bytes.Split(data, []byte("\n")) {
		for _, pair := range strings.Fields(string(line)) {
			key, value, isPair := strings.Cut(pair, "=")
			if key == "Reason" || key == "Comment" || key == "Extra" { // free text up to the end of the line
				break
			}
			if !isPair {
				continue
			}
			if key == "NodeName" {
				nodes = append(nodes, slurmNode{Pool: Pool{Name: value}})
			}
			if err := nodes[len(nodes)-1].set(key, value); err != nil {
				return nil, &workload.InputError{File: name, Line: int64(i + 1), Field: key, Saw: strconv.Quote(value), Want: err.Error()}
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

// set takes a pair of a node's. An error says what it should be.
func (n *slurmNode) set(key, value string) error {
	number, err := strconv.ParseInt(value, 10, 50)
	isNumber := err == nil && number >= 0
	switch {
	case key == "Partitions":
		n.partitions = value
	case key == "Gres":
		for item := range strings.SplitSeq(value, ",") {
			parts := slurmGPUs.FindStringSubmatch(item)
			if parts == nil {
				continue
			}
			if n.GPUs > 0 {
				return errors.New("one kind of GPUs on a node")
			}
			n.GPUType = parts[1]
			n.GPUs, _ = strconv.ParseInt(parts[2], 10, 50)
		}
	case key != "CPUTot" && key != "RealMemory":
	case !isNumber:
		return fmt.Errorf("a whole number of 0 or more")
	case key == "CPUTot":
		n.Processors = number
	default:
		n.MemoryGB = float64(number) / 1024
	}
	return nil
}
