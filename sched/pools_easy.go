package sched

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
	p.lanes = p.pools.open(p.headed)
	return p.look(q, func() bool { return true }, func(k *chunk) bool { return p.passes(k, s.now) }, func(e *entry) bool { return p.starts(e, s.now) })
}

// passes says whether none of a chunk's jobs can start or become a head.
func (p *easyPools) passes(k *chunk, now float64) bool {
	w := p.pools.wants(k)
	if w.lanes&p.lanes != 0 {
		return false
	}
	k.refresh()
	for i := range w.least {
		least := &w.least[i]
		if !p.pools.all[i].free.covers(least) {
			continue
		}
		if !p.headed[i] || now+k.least <= p.heads[p.of[i]].shadow || p.leaves(int32(i), least) {
			return false
		}
	}
	return true
}

// leaves says whether a pool's head leaves so much there: all where it can start
// elsewhere.
func (p *easyPools) leaves(i int32, need *amounts) bool {
	options := p.pools.jobs[p.heads[p.of[i]].slot].options
	for k := range options {
		x := &options[k]
		then := p.then[x.pool]
		if x.pool == i {
			then.subtract(need)
		}
		if then.covers(&x.take) {
			return true
		}
	}
	return false
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
	if !p.leaves(o.pool, &o.take) {
		return false
	}
	p.then[o.pool].subtract(&o.take)
	return true
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
	p.lanes = p.pools.open(p.headed)
}

func (p *easyPools) Submitted(*State, int32) {}
func (p *easyPools) Finished(*State, int32)  { p.valid = false }
func (p *easyPools) Revised(*State)          { p.valid = false }
