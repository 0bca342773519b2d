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

// machine is the state of a Cluster: the free amounts of each pool, and the running jobs. A
// machine with processors only is a Cluster with one pool.
type machine struct {
	cluster   *Cluster
	capacity  amounts // of all pools
	simulated [numResources]bool
	planned   []Resource // the resources that planners consider: only Nodes if nodes are whole
	pools     []pool
	all       uint64           // bit mask of all pools
	held      amounts          // of all pools
	running   heap.Heap[int32] // slots, by end
	started   int64            // number of jobs started so far

	named  func(col int, number int64) (string, bool)
	claims map[demand]*claim // cache
}

// pool is the state of one pool.
type pool struct {
	free amounts
	ends ends // expected ends of its jobs, if the policy uses estimates
}

// demand is the request of a job as far as it determines its claim.
type demand struct {
	need               amounts
	partition, gpuType int64
}

// mostClaims limits the memory of machine.claims.
const mostClaims = 1 << 16

// claim lists the ways in which a job can run.
type claim struct {
	options []option // in the order of its partition's pools; none if it can never run
	least   int64    // smallest number of processors of all options
	among   uint64   // bit mask of the pools of the options
	// If there is no option, short is the resource of which every pool of the partition has
	// too little, or numResources if there is no such resource or no such partition.
	short Resource
}

// option is a pool in which a job can run, and the amounts that it takes there.
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

// fits reports whether a job can start now with an option.
func (m *machine) fits(o *option) bool { return m.pools[o.pool].free.covers(&o.take) }

// fitting returns the index of the first option with which a job can start now, or -1 if there
// is none.
func (m *machine) fitting(c *claim) int32 {
	for i := range c.options {
		if m.fits(&c.options[i]) {
			return int32(i)
		}
	}
	return -1
}

// take allocates the amounts of an option.
func (m *machine) take(o *option) {
	m.pools[o.pool].free.subtract(&o.take)
	m.held.add(&o.take)
}

// release undoes take.
func (m *machine) release(o *option) {
	m.pools[o.pool].free.add(&o.take)
	m.held.subtract(&o.take)
}

// claim returns the claim of a job.
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

// partition returns the indices of the pools of a partition of the log, or none if the
// cluster does not have that partition.
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

// otherPartition returns the part of a warning that describes a partition that the cluster
// does not have.
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

// name returns the name in the log of a number, or the number if it has no name.
func (m *machine) name(col int, number int64) string {
	if m.named != nil {
		if text, ok := m.named(col, number); ok {
			return text
		}
	}
	return strconv.FormatInt(number, 10)
}

// hasKind reports whether a pool has the kind of GPU that a job requests; it is true if the
// job or the pool names none. A log may name several alternatives, separated by bars.
func (m *machine) hasKind(pool int, d *demand) bool {
	kind := m.cluster.Pools[pool].GPUType
	if kind == "" || d.need[GPUs] == 0 || d.gpuType == workload.Unknown {
		return true
	}
	return slices.Contains(strings.Split(m.name(workload.ColGPUType, d.gpuType), "|"), kind)
}

const noPartition = "no-partition" // rule of jobs whose partition the machine does not have

// unfit returns the rule and the text of a warning if a job cannot be simulated on the
// Cluster, and empty strings if it can.
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
		return "larger-than-machine", "jobs left out of the simulation: no pool of their partition has enough of all requested resources"
	}
	return "larger-than-machine-" + c.short.Name(), "jobs left out of the simulation: no pool of their partition has enough " + c.short.word()
}
