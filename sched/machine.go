package sched

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/workload"
)

// machine is the state of a Cluster: what is free in each pool, and the jobs that hold the
// rest. Like processors that are all there is are one pool.
type machine struct {
	cluster   *Cluster
	capacity  amounts
	simulated [numResources]bool
	planned   []Resource // those that jobs are planned by: where nodes are whole, nodes stand for all
	pools     []pool
	all       uint64  // a bit for each pool
	held      amounts // in all pools
	running   heap.Heap[int32]
	started   int64 // jobs started so far

	named  func(col int, number int64) (string, bool)
	claims map[demand]*claim // as met
}

// pool is the state of one.
type pool struct {
	free amounts
	ends ends // expected ones; kept where the policy uses estimates
}

// demand is what a job asks for: jobs that agree in it have one claim.
type demand struct {
	need               amounts
	partition, gpuType int64
}

// mostClaims bounds the memory of claims.
const mostClaims = 1 << 16

// claim is what a job can take.
type claim struct {
	options []option // in the order of its partition's pools; none where it can never run
	least   int64    // processors that it takes at least
	among   uint64   // a bit for each pool of the options
	// Where there is no option, short is what no pool of the partition has enough of;
	// numResources where each has too little of another, or there is no such partition.
	short Resource
}

// option is a pool in which a job can run, and what it takes there.
type option struct {
	pool int32
	take amounts
}

func newMachine(c *Cluster, named func(int, int64) (string, bool)) machine {
	m := machine{cluster: c, named: named, pools: make([]pool, len(c.Pools)), claims: map[demand]*claim{}}
	for i := range m.pools {
		m.pools[i].free = c.capacity(i)
		m.capacity.add(&m.pools[i].free)
		m.all |= 1 << i
	}
	for _, r := range Resources() {
		m.simulated[r] = m.capacity[r] > 0
		if m.simulated[r] && c.WholeNodes == (r == Nodes) {
			m.planned = append(m.planned, r)
		}
	}
	return m
}

// free returns the processors that no job holds.
func (m *machine) free() int64 { return m.capacity[Processors] - m.held[Processors] }

// fits reports whether a job can have what it takes of a pool now.
func (m *machine) fits(o *option) bool { return m.pools[o.pool].free.covers(&o.take) }

// fitting returns the first option that a job can have now, -1 if there is none.
func (m *machine) fitting(c *claim) int32 {
	for i := range c.options {
		if m.fits(&c.options[i]) {
			return int32(i)
		}
	}
	return -1
}

// take starts a job.
func (m *machine) take(o *option) {
	m.pools[o.pool].free.subtract(&o.take)
	m.held.add(&o.take)
}

// release ends a job.
func (m *machine) release(o *option) {
	m.pools[o.pool].free.add(&o.take)
	m.held.subtract(&o.take)
}

// claim returns what a job can take.
func (m *machine) claim(j *workload.Job) *claim {
	d := demand{needs(j), j.Partition, j.GPUType}
	if !m.simulated[Memory] {
		d.need[Memory] = 0
	}
	c := m.claims[d]
	if c == nil {
		if len(m.claims) == mostClaims {
			clear(m.claims)
		}
		c = m.newClaim(&d)
		m.claims[d] = c
	}
	return c
}

func (m *machine) newClaim(d *demand) *claim {
	c := &claim{least: math.MaxInt64}
	var shorts [numResources]int
	among := m.partition(d.partition)
	for _, i := range among {
		take, short, ok := amounts{}, GPUs, false
		if m.hasKind(i, d) {
			take, short, ok = m.cluster.take(i, &d.need, &m.simulated)
		}
		if !ok {
			shorts[short]++
			continue
		}
		c.options = append(c.options, option{int32(i), take})
		c.least = min(c.least, take[Processors])
		c.among |= 1 << i
	}
	c.short = Resource(slices.IndexFunc(shorts[:], func(n int) bool { return n > 0 && n == len(among) }))
	if c.short < 0 {
		c.short = numResources
	}
	return c
}

// partition returns the pools of a partition of the log; none where the cluster
// does not have it.
func (m *machine) partition(number int64) (pools []int) {
	switch {
	case m.cluster.Partitions == nil:
		for i := range m.pools {
			pools = append(pools, i)
		}
	case number != workload.Unknown:
		x := m.cluster.partition(m.name(workload.ColPartition, number))
		if x < 0 {
			x = m.cluster.partition(strconv.FormatInt(number, 10))
		}
		if x >= 0 {
			for _, name := range m.cluster.Partitions[x].Pools {
				pools = append(pools, m.cluster.pool(name))
			}
		}
	}
	return pools
}

// otherPartition is what a warning says of a partition that the cluster does not have.
func (m *machine) otherPartition(number int64) string {
	if number == workload.Unknown {
		return " without a partition"
	}
	const most = 4
	var has []string
	for _, x := range m.cluster.Partitions[:min(len(m.cluster.Partitions), most)] {
		has = append(has, workload.Shorten([]byte(x.Name)))
	}
	if more := len(m.cluster.Partitions) - most; more > 0 {
		has = append(has, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf(" of %s, and the machine has %s", workload.Shorten([]byte(m.name(workload.ColPartition, number))), strings.Join(has, ", "))
}

// name returns what the log calls a number, else the number.
func (m *machine) name(col int, number int64) string {
	if m.named != nil {
		if text, ok := m.named(col, number); ok {
			return text
		}
	}
	return strconv.FormatInt(number, 10)
}

// hasKind reports whether a pool has the kind of GPU that a job asks for, if it asks for
// one. A log may name several to choose from, with bars between them.
func (m *machine) hasKind(pool int, d *demand) bool {
	kind := m.cluster.Pools[pool].GPUType
	if kind == "" || d.need[GPUs] == 0 || d.gpuType == workload.Unknown {
		return true
	}
	return slices.Contains(strings.Split(m.name(workload.ColGPUType, d.gpuType), "|"), kind)
}

const noPartition = "no-partition" // rule of jobs whose partition the machine does not have

// unfit says why a job cannot be simulated on a Cluster: the rule and the text of a
// warning, empty where it can.
func (m *machine) unfit(j *workload.Job) (rule, text string) {
	rule, text = Unfit(j)
	if rule == "no-size" && needs(j) != (amounts{}) {
		timed := *j
		timed.Size = 1
		rule, text = Unfit(&timed)
	}
	if rule != "" {
		return rule, text
	}
	c := m.claim(j)
	switch {
	case len(c.options) > 0:
		return "", ""
	case c.short == numResources && len(m.partition(j.Partition)) == 0:
		return noPartition, "jobs left out of the simulation: the machine does not have their partition"
	case c.short == numResources:
		return "larger-than-machine", "jobs left out of the simulation: no pool that they may use has enough of everything that they ask for"
	}
	return "larger-than-machine-" + c.short.Name(), "jobs left out of the simulation: no pool that they may use has enough " + c.short.word() + " for them"
}
