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

// machine is the state of a Cluster: what is free in each pool, the jobs that hold the rest,
// and what those that wait may take. Like processors that are all there is are one pool.
type machine struct {
	plain     bool // no Cluster was given
	cluster   *Cluster
	capacity  amounts
	simulated [numResources]bool
	planned   []Resource // those that jobs are planned by: where nodes are whole, nodes stand for all
	pools     []pool
	all       uint64    // a bit for each pool
	held      amounts   // in all pools
	claims    [][]claim // by slot, in chunks
	running   heap.Heap[int32]
	started   int64 // jobs started so far

	named   func(col int, number int64) (string, bool)
	poolsOf map[int64][]int32  // the pools of a partition of the log, as met
	kinds   map[int64][]bool   // which pools have a kind of GPU of the log, as met
	options []option           // of the job that is looked at
	ofSize  map[int64][]option // those of jobs, where like processors are all there is
}

// pool is the state of one.
type pool struct {
	free amounts
	ends ends // expected ones; kept where the policy uses estimates
}

// claim is what a job that waits or runs can take.
type claim struct {
	options []option // in the order of its partition's pools; at least one
	at      int32    // of options: what it has, where it runs
}

const claimsPerChunk = 1024

func (m *machine) at(slot int32) *claim { return &m.claims[slot/claimsPerChunk][slot%claimsPerChunk] }

// option is a pool in which a job can run, and what it takes there.
type option struct {
	pool int32
	take amounts
}

func newMachine(c *Cluster, named func(int, int64) (string, bool)) machine {
	m := machine{cluster: c, named: named, pools: make([]pool, len(c.Pools)), poolsOf: map[int64][]int32{}, kinds: map[int64][]bool{}, ofSize: map[int64][]option{}}
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

// has returns what a running job has.
func (m *machine) has(slot int32) *option {
	c := m.at(slot)
	return &c.options[c.at]
}

// fitsIn reports whether a job that waits can start now in one of its pools.
func (m *machine) fitsIn(e *entry, at int32) bool {
	o := &m.at(e.slot).options[at]
	return m.pools[o.pool].free.covers(&o.take)
}

// fits finds the first of its pools in which a job that waits can start now; false if there is
// none.
func (m *machine) fits(e *entry) (at int32, ok bool) {
	for i := range m.at(e.slot).options {
		if m.fitsIn(e, int32(i)) {
			return int32(i), true
		}
	}
	return 0, false
}

// lacks reports whether there is too little of a resource for a job in each of its pools.
func (m *machine) lacks(slot int32, r Resource) bool {
	return !slices.ContainsFunc(m.at(slot).options, func(o option) bool { return m.pools[o.pool].free[r] >= o.take[r] })
}

// take starts a job in one of its pools.
func (m *machine) take(slot, at int32) {
	m.at(slot).at = at
	o := m.has(slot)
	m.pools[o.pool].free.subtract(&o.take)
	m.held.add(&o.take)
}

// release ends the running job that is the first to end.
func (m *machine) release() (slot int32) {
	slot = m.running.Pop().Value
	o := m.has(slot)
	m.pools[o.pool].free.add(&o.take)
	m.held.subtract(&o.take)
	return slot
}

// claim takes in a job that waits, under its slot. It returns the least number of processors
// that it takes, and a bit for each pool in which it can run.
func (m *machine) claim(slot int32, j *workload.Job) (least int64, among uint64) {
	m.choose(j)
	for int(slot)/claimsPerChunk >= len(m.claims) {
		m.claims = append(m.claims, make([]claim, claimsPerChunk))
	}
	c := m.at(slot)
	if m.plain {
		c.options = m.options
	} else {
		c.options = append(c.options[:0], m.options...)
	}
	least = math.MaxInt64
	for i := range c.options {
		least = min(least, c.options[i].take[Processors])
		among |= 1 << c.options[i].pool
	}
	return least, among
}

// choose sets options for a job. Where there is none, short is what no pool of its
// partition has enough of; numResources where each has too little of another, or
// the cluster lacks the partition.
func (m *machine) choose(j *workload.Job) (short Resource, ok bool) {
	if m.plain {
		need, fits := amounts{Processors: j.Size}, false
		if m.options, fits = m.ofSize[j.Size]; !fits && m.capacity.covers(&need) {
			m.options = []option{{0, need}}
			m.ofSize[j.Size] = m.options
		}
		return Processors, len(m.options) > 0
	}
	need := needs(j)
	m.options = m.options[:0]
	among, kind := m.partition(j.Partition), m.kind(j, &need)
	var shorts [numResources]int
	for _, i := range among {
		take, short, ok := amounts{}, GPUs, false
		if kind == nil || kind[i] {
			take, short, ok = m.cluster.take(int(i), &need, &m.simulated)
		}
		if ok {
			m.options = append(m.options, option{i, take})
		} else {
			shorts[short]++
		}
	}
	if len(m.options) > 0 {
		return 0, true
	}
	for r, n := range shorts {
		if n > 0 && n == len(among) {
			return Resource(r), false
		}
	}
	return numResources, false
}

// partition returns the pools of a partition of the log; none where the cluster
// does not have it.
func (m *machine) partition(number int64) []int32 {
	known, ok := m.poolsOf[number]
	if ok {
		return known
	}
	switch {
	case m.cluster.Partitions == nil:
		for i := range m.pools {
			known = append(known, int32(i))
		}
	case number != workload.Unknown:
		x := m.cluster.partition(m.name(workload.ColPartition, number))
		if x < 0 {
			x = m.cluster.partition(strconv.FormatInt(number, 10))
		}
		if x >= 0 {
			for _, name := range m.cluster.Partitions[x].Pools {
				known = append(known, int32(m.cluster.pool(name)))
			}
		}
	}
	m.poolsOf[number] = known
	return known
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

// kind returns which pools have the kind of GPU that a job asks for; nil where it
// asks for none. A log may name several to choose from, with bars between them.
func (m *machine) kind(j *workload.Job, need *amounts) []bool {
	if need[GPUs] == 0 || j.GPUType == workload.Unknown {
		return nil
	}
	known, ok := m.kinds[j.GPUType]
	if !ok {
		names := strings.Split(m.name(workload.ColGPUType, j.GPUType), "|")
		for _, p := range m.cluster.Pools {
			known = append(known, p.GPUType == "" || slices.Contains(names, p.GPUType))
		}
		m.kinds[j.GPUType] = known
	}
	return known
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
	if len(m.partition(j.Partition)) == 0 {
		return noPartition, "jobs left out of the simulation: the machine does not have their partition"
	}
	short, ok := m.choose(j)
	switch {
	case ok:
		return "", ""
	case short == numResources:
		return "larger-than-machine", "jobs left out of the simulation: no pool that they may use has enough of everything that they ask for"
	}
	return "larger-than-machine-" + short.Name(), "jobs left out of the simulation: no pool that they may use has enough " + short.word() + " for them"
}
