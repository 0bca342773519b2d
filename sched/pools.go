package sched

import (
	"math"
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
