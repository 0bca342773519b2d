package sched

// easyPools is EASY on a Cluster. The head of a pool is the first job that waits,
// could run there, and shares no pool with an earlier head. It has a reservation
// for the earliest time at which the running jobs' estimates leave it enough in one
// of its pools. A job that is no head starts where it fits, in the first of its
// pools in which it delays no reservation.
type easyPools struct {
	pools *pools
	scan
	heads []reservation
	of    []int32   // by pool: which of the heads waits for it, -1 for none
	then  []amounts // by pool: what is free when that is expected to start
}

// reservation is a head's.
type reservation struct {
	slot   int32
	shadow float64 // s, when it is expected to start
}

func newEasyPools(p *pools) *easyPools {
	return &easyPools{pools: p, of: make([]int32, len(p.all)), then: make([]amounts, len(p.all))}
}

func (p *easyPools) next(s *State) (cursor, bool) {
	q := &s.queue
	if p.begin(q) {
		p.heads = p.heads[:0]
		for i := range p.of {
			p.of[i] = -1
		}
	}
	c, ok := q.settle(p.at)
	for ok {
		if p.starts(q.at(c), s.now) {
			return p.found(c), true
		}
		c, ok = q.settle(c.next())
	}
	p.at = c
	return cursor{}, false
}

// starts says whether a job starts, and where; if not, it may become a head.
func (p *easyPools) starts(e *entry, now float64) bool {
	options, head := p.pools.jobs[e.slot].options, true
	for i := range options {
		o := &options[i]
		if p.of[o.pool] >= 0 {
			head = false
		}
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
	h := p.of[o.pool]
	if h < 0 || end <= p.heads[h].shadow {
		return true
	}
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
		p.of[pool] = int32(len(p.heads))
		p.then[pool] = p.pools.then(pool, at)
	}
	p.heads = append(p.heads, reservation{slot, at})
}

func (p *easyPools) submitted(*State, int32) {}
func (p *easyPools) finished(*State, int32)  { p.valid = false }
func (p *easyPools) revised(*State)          { p.valid = false }
