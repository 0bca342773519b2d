package sched

import "math"

// easyPools is EASY on a Cluster. The head of a pool is the first job that waits,
// could run there, and shares no pool with an earlier head. It has a reservation
// for the earliest time at which the running jobs' estimates leave it enough in one
// of its pools. A job that is no head starts where it fits, in the first of its
// pools in which it delays no reservation.
type easyPools struct {
	pools *pools
	scan
	heads  []reservation
	headed []bool    // by pool: a head waits for it
	of     []int32   // by pool: which of the heads that is
	then   []amounts // by pool: what is free when that is expected to start
}

// reservation is a head's.
type reservation struct {
	slot   int32
	shadow float64 // s, when it is expected to start
}

func newEasyPools(p *pools) *easyPools {
	return &easyPools{pools: p, headed: make([]bool, len(p.all)), of: make([]int32, len(p.all)), then: make([]amounts, len(p.all))}
}

func (p *easyPools) Next(s *State) (Place, bool) {
	q := &s.queue
	if p.begin(q) {
		p.heads = p.heads[:0]
		clear(p.headed)
	}
	c, ok := q.settle(p.at)
	for ok && p.pools.open(p.headed) { // there are more heads
		if p.starts(q.at(c), s.now) {
			return p.found(c), true
		}
		c, ok = q.settle(c.next())
	}
	free, extra, by := p.bounds()
	for c, ok = q.fit(c, free, s.now, by, extra); ok; c, ok = q.fit(c.next(), free, s.now, by, extra) {
		if p.starts(q.at(c), s.now) {
			return p.found(c), true
		}
	}
	p.at = c
	return Place{}, false
}

// bounds returns what a job that starts cannot go beyond, where all heads are known:
// the processors that are free in one pool; and those that a head leaves over there,
// where the job ends after all heads are expected to start.
func (p *easyPools) bounds() (free, extra int64, by float64) {
	by = math.Inf(-1)
	for i := range p.then {
		now := p.pools.all[i].free[Processors]
		free = max(free, now)
		if p.headed[i] {
			by = max(by, p.heads[p.of[i]].shadow)
			now = min(now, p.over(int32(i)))
		}
		extra = max(extra, now)
	}
	return free, extra, by
}

// over returns how many processors a pool's head leaves over there: all where it can
// start elsewhere.
func (p *easyPools) over(i int32) (n int64) {
	options := p.pools.jobs[p.heads[p.of[i]].slot].options
	for k := range options {
		x := &options[k]
		switch {
		case !p.then[x.pool].covers(&x.take):
		case x.pool != i:
			return math.MaxInt64
		default:
			n = p.then[i][Processors] - x.take[Processors]
		}
	}
	return n
}

// starts says whether a job starts, and where; if not, it may become a head.
func (p *easyPools) starts(e *entry, now float64) bool {
	options, head := p.pools.jobs[e.slot].options, true
	for i := range options {
		o := &options[i]
		head = head && !p.headed[o.pool]
		if p.pools.fits(o) && p.harmless(o, now+e.estimate) {
			e.pool = int32(i)
			return true
		}
	}
	if head {
		p.reserve(e.slot)
	}
	return false
}

// harmless says whether a job that is expected to end at a time may take what it
// does of a pool, and takes that off what its head will leave over.
func (p *easyPools) harmless(o *option, end float64) bool {
	if !p.headed[o.pool] || end <= p.heads[p.of[o.pool]].shadow {
		return true
	}
	h := p.of[o.pool]
	then := &p.then[o.pool]
	then.subtract(&o.take)
	for i := range p.pools.jobs[p.heads[h].slot].options {
		x := &p.pools.jobs[p.heads[h].slot].options[i]
		if p.then[x.pool].covers(&x.take) {
			return true
		}
	}
	then.add(&o.take)
	return false
}

// reserve makes a job the head of its pools.
func (p *easyPools) reserve(slot int32) {
	at := p.pools.when(slot)
	for i := range p.pools.jobs[slot].options {
		pool := p.pools.jobs[slot].options[i].pool
		p.headed[pool], p.of[pool] = true, int32(len(p.heads))
		p.then[pool] = p.pools.then(pool, at)
	}
	p.heads = append(p.heads, reservation{slot, at})
}

func (p *easyPools) Submitted(*State, int32) {}
func (p *easyPools) Finished(*State, int32)  { p.valid = false }
func (p *easyPools) Revised(*State)          { p.valid = false }
