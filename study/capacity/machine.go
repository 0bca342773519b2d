package capacity

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// machine is today's machine and the part of it that varies. Its size is the number of nodes of
// the varied pools or, if they have no nodes, the amount of the resource.
type machine struct {
	cluster  *sched.Cluster // nil for a machine of processors only
	varied   []int          // indices of the pools that vary
	resource sched.Resource
	today    int64  // today's size
	name     string // unit of amounts, such as "processors"
}

// machine returns the machine that the options describe.
func (o *Options) machine() (m machine, err error) {
	m = machine{cluster: o.Cluster, today: o.Processors, name: "processors"}
	if o.Vary == varyGPUs {
		m.resource, m.name = sched.GPUs, "GPUs"
	}
	if m.cluster == nil {
		if m.today == 0 {
			m.today, _ = o.Log.Header.Processors()
		}
		switch {
		case o.Vary != varyProcessors:
			return m, workload.OptionFault("vary", strconv.Quote(o.Vary), "procs, time-limit=LIMITS or, of a machine with pools or GPUs, `machine` with it")
		case m.today == 0:
			return m, workload.ErrNoMachine
		}
		return m, nil
	}
	var nodes int64
	var names []string
	for i, p := range m.cluster.Pools {
		names = append(names, p.Name)
		if m.has(p) > 0 && (o.Vary == varyProcessors || o.Vary == varyGPUs) || p.Name == o.Vary {
			m.varied = append(m.varied, i)
			nodes += p.Nodes
		}
	}
	if len(m.varied) == 0 {
		return m, workload.OptionFault("vary", strconv.Quote(o.Vary), "procs, gpus of a machine that has some, or one of its pools: %s", strings.Join(names, ", "))
	}
	m.today = cmp.Or(nodes, m.sum(m.cluster.Pools))
	if o.Vary != varyProcessors && o.Vary != varyGPUs {
		m.name = nodesOf + o.Vary
	}
	return m, nil
}

// Values of Options.Vary.
const (
	varyProcessors = "procs"
	varyGPUs       = "gpus"
)

// nodesOf is the prefix of machine.name if a named pool varies.
const nodesOf = "nodes of pool "

// amount returns the amount of the resource in the varied pools of a machine of a size; if a named
// pool varies, the number of its nodes.
func (m *machine) amount(size int64) int64 {
	if m.cluster == nil || strings.HasPrefix(m.name, nodesOf) {
		return size
	}
	return m.sum(m.scaled(size).Pools)
}

// sum returns the amount of the resource in the varied pools.
func (m *machine) sum(pools []sched.Pool) (sum int64) {
	for _, i := range m.varied {
		sum += m.has(pools[i]) * max(1, pools[i].Nodes)
	}
	return sum
}

// has returns the amount of the resource in one node of a pool, or in the whole pool if it has no
// nodes.
func (m *machine) has(p sched.Pool) int64 {
	if m.resource == sched.GPUs {
		return p.GPUs
	}
	return p.Processors
}

// scaled returns the cluster of a size. Each varied pool keeps at least one node, or one unit of
// the resource.
func (m *machine) scaled(size int64) *sched.Cluster {
	scaled := func(n int64) int64 {
		return max(1, int64(math.Round(float64(n)*float64(size)/float64(m.today))))
	}
	cluster := *m.cluster
	cluster.Pools = slices.Clone(cluster.Pools)
	for _, i := range m.varied {
		switch p := &cluster.Pools[i]; {
		case p.Nodes > 0:
			p.Nodes = scaled(p.Nodes)
		case m.resource == sched.GPUs:
			p.GPUs = scaled(p.GPUs)
		default:
			p.Processors = scaled(p.Processors)
		}
	}
	return &cluster
}
