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

// machine is today's machine and which part of it varies. Its size is counted in nodes of the pools that vary, or in
// units of the resource if there are none.
type machine struct {
	cluster  *sched.Cluster // nil for processors alone
	varied   []int          // pools
	resource sched.Resource
	today    int64
	name     string // what sizes count
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

// nodesOf is what sizes of a pool count, before its name.
const nodesOf = "nodes of pool "

// amount returns what the pools that vary have of the resource, on a machine of a size; for one pool the number of nodes.
func (m *machine) amount(size int64) int64 {
	if m.cluster == nil || strings.HasPrefix(m.name, nodesOf) {
		return size
	}
	return m.sum(m.scaled(size).Pools)
}

// sum is what the pools that vary have of the resource.
func (m *machine) sum(pools []sched.Pool) (sum int64) {
	for _, i := range m.varied {
		sum += m.has(pools[i]) * max(1, pools[i].Nodes)
	}
	return sum
}

// has is what a node of a pool has of the resource, or the pool if it has no nodes.
func (m *machine) has(p sched.Pool) int64 {
	if m.resource == sched.GPUs {
		return p.GPUs
	}
	return p.Processors
}

// scaled returns the cluster of a size. Pools keep a node at least.
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
