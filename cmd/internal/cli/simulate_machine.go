package cli

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// machineFlags describe a machine of several resources: a file, or what like nodes
// have together.
type machineFlags struct {
	file     string
	nodes    int64
	gpus     int64
	memoryGB float64
	whole    bool
}

// machineDetails is for the long help.
const machineDetails = `A machine of several resources has pools of like nodes. A job runs in one pool,
the first of its partition's pools in which the policy can start it. With
--whole-nodes it takes as many nodes as each of its requests needs; otherwise
nodes are shared, and it takes what it asks for from the pool as a whole: jobs
are not placed on nodes. A job that waits holds up only those that could run in
one of its pools. Jobs that fit in no pool are left out, and counted by the
resource of which there is too little.

A request that is not in the log counts as none: no GPUs, no memory. A resource
that is not given for the machine is not limited. --procs, --gpus and
--memory-gb are those of all --nodes together; --machine describes pools that
differ, and partitions:

  {"schema": "loadstone.machine/1", "whole_nodes": false,
   "pools": [
     {"name": "thin", "nodes": 96, "processors": 64, "memory_gb": 256},
     {"name": "gpu", "nodes": 4, "processors": 64, "gpus": 8, "memory_gb": 1024}],
   "partitions": [
     {"name": "batch", "pools": ["thin"]},
     {"name": "gpu", "pools": ["gpu"]},
     {"name": "short", "pools": ["thin", "gpu"]}]}

Amounts are those of a node, or of the pool where "nodes" is not given; memory
is in GB of 2^20 KB. A partition's name is the log's name for it, or its number.
Without partitions all jobs may use all pools, in the order of the file.`

func (m *machineFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&m.file, "machine", "", "simulate the machine that this JSON `file` describes: pools of nodes, and partitions that share them")
	cmd.Flags().Int64Var(&m.gpus, "gpus", 0, "GPUs of the machine; without it jobs may have any number")
	cmd.Flags().Float64Var(&m.memoryGB, "memory-gb", 0, "memory of the machine in GB; without it jobs may have any amount")
	cmd.Flags().Int64Var(&m.nodes, "nodes", 0, "nodes of the machine, which share its processors, GPUs and memory evenly (default: the header's, with --whole-nodes)")
	cmd.Flags().BoolVar(&m.whole, "whole-nodes", false, "give jobs whole nodes")
}

// check finds flags that are out of range or at odds.
func (m *machineFlags) check(cmd *cobra.Command) error {
	several := []string{"gpus", "memory-gb", "nodes", "whole-nodes"}
	for _, name := range several {
		if !cmd.Flags().Changed(name) {
			continue
		}
		for _, other := range []string{"machine", "sites"} {
			if cmd.Flags().Changed(other) {
				return flags.Usagef(cmd, "--%s with --%s: use one of them", name, other)
			}
		}
	}
	switch {
	case cmd.Flags().Changed("gpus") && m.gpus < 1:
		return flags.Usagef(cmd, "--gpus %d: want 1 or more", m.gpus)
	case cmd.Flags().Changed("nodes") && m.nodes < 1:
		return flags.Usagef(cmd, "--nodes %d: want 1 or more", m.nodes)
	case cmd.Flags().Changed("memory-gb") && !(m.memoryGB > 0 && m.memoryGB <= 1<<30):
		return flags.Usagef(cmd, "--memory-gb %g: want a number above 0, at most %d", m.memoryGB, 1<<30)
	case m.nodes > 0 && !m.whole && m.gpus == 0 && m.memoryGB == 0:
		return flags.Usagef(cmd, "--nodes %d: want --whole-nodes, --gpus or --memory-gb with it", m.nodes)
	}
	return nil
}

// any says whether the machine is one of several resources.
func (m *machineFlags) any() bool {
	return m.file != "" || m.gpus > 0 || m.memoryGB > 0 || m.whole
}

// read reads the file, if there is one.
func (m *machineFlags) read() (*sched.Cluster, error) {
	if m.file == "" {
		return nil, nil
	}
	data, err := flags.ReadFile(m.file)
	if err != nil {
		return nil, err
	}
	return sched.DecodeCluster(m.file, data)
}

// like is the machine that the flags describe, of so many processors.
func (m *machineFlags) like(input string, h *workload.Header, processors int64) (*sched.Cluster, error) {
	nodes := m.nodes
	if m.whole && nodes == 0 {
		n, ok := h.Int("MaxNodes")
		if !ok || n < 1 {
			return nil, fmt.Errorf("%s: the header does not say how many nodes the machine has: give --nodes", input)
		}
		nodes = n
	}
	return sched.LikeNodes(nodes, processors, m.gpus, int64(math.Round(m.memoryGB*sched.KBPerGB)), m.whole)
}
