package sched

import "math"

// poolHeads is the planner of policies under which no job overtakes another, on a
// Cluster: a job that waits holds up those behind it that could run in one of its
// pools, and they hold up others in turn. So disjoint partitions do not wait for
// each other.
type poolHeads struct {
	pools *pools
	scan
	taken []bool // by pool: one that waits could run there
}

func newPoolHeads(p *pools) *poolHeads { return &poolHeads{pools: p, taken: make([]bool, len(p.all))} }

func (p *poolHeads) Next(s *State) (Place, bool) {
	q := &s.queue
	if p.begin(q) {
		clear(p.taken)
	}
	p.lanes = p.pools.open(p.taken)
	return p.look(q, func() bool { return p.lanes != 0 }, p.passes, p.starts)
}

// passes says whether none of a chunk's jobs can start, and takes their pools then.
func (p *poolHeads) passes(k *chunk) bool {
	lanes := p.pools.wants(k).lanes
	if lanes&(p.lanes|bitOf(math.MaxInt32)) != 0 {
		return false
	}
	for n := range p.pools.lanes {
		if lanes&bitOf(int32(n)) != 0 {
			p.take(p.pools.lanes[n])
		}
	}
	return true
}

// take closes pools to the jobs behind.
func (p *poolHeads) take(pools []int32) {
	for _, i := range pools {
		if !p.taken[i] {
			p.taken[i] = true
			p.lanes = p.pools.open(p.taken)
		}
	}
}

// starts says whether a job starts, and where; if not, it takes its pools.
func (p *poolHeads) starts(e *entry) bool {
	options, free := p.pools.jobs[e.slot].options, true
	for i := range options {
		free = free && !p.taken[options[i].pool]
	}
	for i := range options {
		if free && p.pools.fits(&options[i]) {
			e.pool = int32(i)
			return true
		}
	}
	p.take(p.pools.lanes[p.pools.jobs[e.slot].lane])
	return false
}

func (p *poolHeads) Submitted(s *State, _ int32) {
	if s.queue.order != nil {
		p.valid = false // it may be before what was scanned
	}
}
func (p *poolHeads) Finished(*State, int32) { p.valid = false }
func (p *poolHeads) Revised(*State)         { p.valid = false }
