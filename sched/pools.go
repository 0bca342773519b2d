package sched

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// pools is what a machine of several resources has beside the processors that
// machine counts: what is free in each pool, and what jobs may take there.
type pools struct {
	cluster   *Cluster
	simulated [numResources]bool
	planned   []Resource // those that jobs are planned by: where nodes are whole, nodes stand for all
	all       []pool
	named     func(col int, number int64) (string, bool)
	of        map[int64][]int32 // the pools of a partition of the log, as met
	kinds     map[int64][]bool  // which pools have a kind of GPU of the log, as met
	jobs      []claim           // by slot
	options   []option          // of the job that is looked at
	held      amounts           // in all pools
	lanes     [][]int32         // the pools of jobs that can run in the same ones, as met
	laneOf    map[string]int32  // by their pools
	key       []byte
}

// pool is the state of one.
type pool struct {
	free amounts
	ends [numResources]ends // when what is taken is expected to be given back
}

// claim is what a job that waits or runs can take.
type claim struct {
	options []option // in the order of its partition's pools; at least one
	at      int32    // of options: what it has, where it runs
	lane    int32
}

// option is a pool in which a job can run, and what it takes there.
type option struct {
	pool int32
	take amounts
}

func newPools(c *Cluster, named func(int, int64) (string, bool)) *pools {
	p := &pools{cluster: c, named: named, all: make([]pool, len(c.Pools)), of: map[int64][]int32{}, kinds: map[int64][]bool{}, laneOf: map[string]int32{}}
	for i := range p.all {
		p.all[i].free = c.capacity(i)
	}
	for _, r := range Resources() {
		p.simulated[r] = c.Capacity(r) > 0
		if p.simulated[r] && c.WholeNodes == (r == Nodes) {
			p.planned = append(p.planned, r)
		}
	}
	return p
}

// partition returns the pools of a partition of the log; none where the cluster
// does not have it.
func (p *pools) partition(number int64) []int32 {
	known, ok := p.of[number]
	if ok {
		return known
	}
	if p.cluster.Partitions == nil {
		for i := range p.all {
			known = append(known, int32(i))
		}
	} else if x := p.find(number); x >= 0 {
		for _, i := range p.cluster.Partitions[x].Pools {
			known = append(known, int32(i))
		}
	}
	p.of[number] = known
	return known
}

// find returns which of the cluster's partitions one of the log is, -1 for none.
func (p *pools) find(number int64) int {
	if number == workload.Unknown {
		return -1
	}
	text := p.name(workload.ColPartition, number)
	return slices.IndexFunc(p.cluster.Partitions, func(x Partition) bool { return x.Name == text })
}

// name returns what the log calls a number, else the number.
func (p *pools) name(col int, number int64) string {
	if p.named != nil {
		if text, ok := p.named(col, number); ok {
			return text
		}
	}
	return strconv.FormatInt(number, 10)
}

// kind returns which pools have the kind of GPU that a job asks for; nil where it
// asks for none. A log may name several to choose from, with bars between them.
func (p *pools) kind(j *workload.Job, need *amounts) []bool {
	if need[GPUs] == 0 || j.Asked.GPUType == workload.Unknown {
		return nil
	}
	known, ok := p.kinds[j.Asked.GPUType]
	if !ok {
		names := strings.Split(p.name(workload.ColGPUType, j.Asked.GPUType), "|")
		for i := range p.cluster.Pools {
			kind := p.cluster.Pools[i].GPUType
			known = append(known, kind == "" || slices.Contains(names, kind))
		}
		p.kinds[j.Asked.GPUType] = known
	}
	return known
}

// choose sets options for a job. Where there is none, short is what no pool of its
// partition has enough of; numResources where each has too little of another, or
// the cluster lacks the partition.
func (p *pools) choose(j *workload.Job) (short Resource, ok bool) {
	need := needs(j)
	p.options = p.options[:0]
	among := p.partition(j.Partition)
	var shorts [numResources]int
	kind := p.kind(j, &need)
	for _, i := range among {
		if kind != nil && !kind[i] {
			shorts[GPUs]++
			continue
		}
		take, short, ok := p.cluster.take(int(i), &need, &p.simulated)
		if ok {
			p.options = append(p.options, option{i, take})
		} else {
			shorts[short]++
		}
	}
	if len(p.options) > 0 {
		return 0, true
	}
	for r, n := range shorts {
		if n > 0 && n == len(among) {
			return Resource(r), false
		}
	}
	return numResources, false
}

// ask takes in a job that waits, under its slot, and returns the least number of
// processors that it takes.
func (p *pools) ask(slot int32, j *workload.Job) int64 {
	p.choose(j)
	for int(slot) >= len(p.jobs) {
		p.jobs = append(p.jobs, claim{})
	}
	a := &p.jobs[slot]
	a.options = append(a.options[:0], p.options...)
	a.lane = p.lane(a.options)
	least := a.options[0].take[Processors]
	for i := range a.options {
		least = min(least, a.options[i].take[Processors])
	}
	return least
}

// lane returns the lane of jobs with such options.
func (p *pools) lane(options []option) int32 {
	p.key = p.key[:0]
	for i := range options {
		p.key = binary.LittleEndian.AppendUint32(p.key, uint32(options[i].pool))
	}
	n, ok := p.laneOf[string(p.key)]
	if !ok {
		n = int32(len(p.lanes))
		var pools []int32
		for i := range options {
			pools = append(pools, options[i].pool)
		}
		p.laneOf[string(p.key)] = n
		p.lanes = append(p.lanes, pools)
	}
	return n
}

// take starts a job in one of its pools, and returns the processors that it gets.
func (p *pools) take(slot, at int32) int64 {
	a := &p.jobs[slot]
	a.at = at
	o := &a.options[at]
	p.all[o.pool].free.subtract(&o.take)
	p.held.add(&o.take)
	return o.take[Processors]
}

// give ends a job.
func (p *pools) give(slot int32) {
	o := p.running(slot)
	p.all[o.pool].free.add(&o.take)
	p.held.subtract(&o.take)
}

// running is what a job has that runs.
func (p *pools) running(slot int32) *option {
	a := &p.jobs[slot]
	return &a.options[a.at]
}

// fits says whether a pool has what a job would take now.
func (p *pools) fits(o *option) bool { return p.all[o.pool].free.covers(&o.take) }

// lacks says whether there is too little of a resource for a job in each of its
// pools.
func (p *pools) lacks(slot int32, r Resource) bool {
	options := p.jobs[slot].options
	for i := range options {
		if p.all[options[i].pool].free[r] >= options[i].take[r] {
			return false
		}
	}
	return true
}

// enter notes when a running job is expected to end.
func (p *pools) enter(slot int32, at float64, seq int64) {
	o := p.running(slot)
	for _, r := range p.planned {
		if o.take[r] > 0 {
			p.all[o.pool].ends[r].insert(ending{at, seq, o.take[r], slot})
		}
	}
}

// leave takes that back.
func (p *pools) leave(slot int32, at float64, seq int64) {
	o := p.running(slot)
	for _, r := range p.planned {
		if o.take[r] > 0 {
			p.all[o.pool].ends[r].remove(at, seq)
		}
	}
}

// when returns the earliest time at which a job is expected to fit in one of its
// pools. It fits in none now.
func (p *pools) when(slot int32) float64 {
	soonest := p.whenIn(&p.jobs[slot].options[0])
	for i := range p.jobs[slot].options[1:] {
		soonest = min(soonest, p.whenIn(&p.jobs[slot].options[i+1]))
	}
	return soonest
}

func (p *pools) whenIn(o *option) float64 {
	x, at := &p.all[o.pool], math.Inf(-1)
	for _, r := range p.planned {
		if n := o.take[r]; n > x.free[r] {
			t, _ := x.ends[r].when(n, x.free[r])
			at = max(at, t)
		}
	}
	return at
}

// then returns what is expected to be free in a pool at a time.
func (p *pools) then(i int32, at float64) amounts {
	x := &p.all[i]
	free := x.free
	for _, r := range p.planned {
		free[r] += x.ends[r].by(at)
	}
	if p.cluster.WholeNodes {
		free = p.cluster.Pools[i].nodes(free[Nodes])
	}
	return free
}
