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
	header := &o.Log.Header
	processors := o.Processors
	if processors == 0 {
		processors, _ = header.Processors()
	}
	gpus, _ := header.Int(workload.MaxGPUs)
	m = machine{cluster: o.Cluster, today: processors, name: "processors"}
	if m.cluster == nil && o.Vary == varyGPUs && processors > 0 && gpus > 0 {
		m.cluster = &sched.Cluster{Pools: []sched.Pool{{Name: "all", Processors: processors, GPUs: gpus}}}
	}
	if o.Vary == varyGPUs {
		m.resource, m.name = sched.GPUs, "GPUs"
	}
	if m.cluster == nil {
		switch {
		case o.Vary != varyProcessors && o.Vary != varyGPUs:
			return m, workload.OptionFault("vary", strconv.Quote(o.Vary), "procs, gpus, time-limit=LIMITS, or a pool of `machine`")
		case o.Vary == varyGPUs:
			return m, workload.OptionFault("vary", o.Vary, "`machine` with it: the header does not say how many processors and GPUs there are")
		case processors == 0:
			return m, workload.ErrNoMachine
		}
		return m, nil
	}
	var nodes, amount int64
	for i, p := range m.cluster.Pools {
		has := p.Processors
		if o.Vary == varyGPUs {
			has = p.GPUs
		}
		if has > 0 && (o.Vary == varyProcessors || o.Vary == varyGPUs) || p.Name == o.Vary {
			m.varied = append(m.varied, i)
			nodes += p.Nodes
			amount += has * max(1, p.Nodes)
		}
	}
	if len(m.varied) == 0 {
		var names []string
		for _, p := range m.cluster.Pools {
			names = append(names, p.Name)
		}
		return m, workload.OptionFault("vary", strconv.Quote(o.Vary), "procs or gpus, which the machine has, or one of its pools: %s", strings.Join(names, ", "))
	}
	if m.today = cmp.Or(nodes, amount); o.Vary != varyProcessors && o.Vary != varyGPUs {
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
func (m *machine) amount(size int64) (sum int64) {
	if m.cluster == nil || strings.HasPrefix(m.name, nodesOf) {
		return size
	}
	pools := m.scaled(size).Pools
	for _, i := range m.varied {
		sum += (&sched.Cluster{Pools: pools[i : i+1]}).Capacity(m.resource) / m.resource.PerUnit()
	}
	return sum
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
