package sched

import "math"

// EASY is first come, first served with aggressive backfilling (Lifka 1995).
// The job at the head of the queue has a reservation for the earliest time at
// which, by the running jobs' estimates, enough processors will be free. A job
// behind it starts first if that does not delay the reservation: either it is
// expected to end by then, or it takes processors that the head does not need.
//
// Ties: running jobs that are expected to end exactly at the reservation count as
// ended, and a job that would end exactly then may start. Candidates are tried in
// the order of submission, and each that fits starts.
type EASY struct{}

var _ Policy = EASY{}

// Name returns "easy".
func (EASY) Name() string { return "easy" }

// UsesEstimates returns true.
func (EASY) UsesEstimates() bool { return true }

// Planner implements Policy.
func (EASY) Planner(m *State) Planner {
	n := len(m.machine.pools)
	return &easy{of: make([]int32, n), then: make([]amounts, n)}
}

// easy is the planner. The head of a pool is the first waiting job that could run there and
// shares no pool with an earlier head. It has a reservation for the earliest time at which, by
// the running jobs' estimates, enough will be free in one of its pools. Any other job starts
// in the first of its pools where it fits and delays no reservation.
type easy struct {
	scan
	heads  []reservation
	headed uint64    // bit mask of the pools that have a head
	of     []int32   // by pool with a head: its index in heads
	then   []amounts // by pool with a head: amounts free at the head's reservation
	most   room
}

// reservation is the reservation of a head.
type reservation struct {
	claim  *claim
	shadow float64 // s, the expected start
}

// room is an upper limit, over all pools, for a job that is not a head: it must not take more
// than free processors, and must either end by the given time or take at most the extra ones.
type room struct {
	free, extra int64
	by          float64
}

// Next implements Planner.
func (p *easy) Next(s *State) (Place, bool) {
	q := &s.queue
	if p.begin(q) {
		p.heads, p.headed = p.heads[:0], 0
	}
	p.bound(&s.machine)
	most, headed := p.most, p.headed
	from, _ := q.settle(p.at)
	for c := from.chunk; c < len(q.chunks); c++ {
		k := q.chunks[c]
		i := k.head
		if c == from.chunk {
			i = from.i
		}
		if i == k.head {
			if k.stale {
				k.refresh()
			}
			if !most.has(k.leastSize, s.now+k.least) && k.among&^headed == 0 {
				continue
			}
		}
		for ; i < k.end; i++ {
			e := &k.entries[i]
			if !most.has(e.size, s.now+e.estimate) && e.among&^headed == 0 {
				continue
			}
			if p.starts(s, e) {
				return p.found(Place{c, i})
			}
			most, headed = p.most, p.headed
		}
	}
	p.at = q.last()
	return Place{}, false
}

func (r room) has(size int64, end float64) bool {
	return size <= r.free && (size <= r.extra || end <= r.by)
}

// bound sets p.most. A head that may start in another pool is assumed to need nothing of this
// one.
func (p *easy) bound(m *machine) {
	p.most = room{by: math.Inf(-1)}
	for i := range m.pools {
		free := m.pools[i].free[Processors]
		p.most.free = max(p.most.free, free)
		if p.headed>>i&1 == 0 {
			p.most.by = math.Inf(1)
			continue
		}
		head := &p.heads[p.of[i]]
		extra := free
		if options := head.claim.options; len(options) == 1 {
			extra = p.then[i][Processors] - options[0].take[Processors]
		}
		p.most.extra, p.most.by = max(p.most.extra, extra), max(p.most.by, head.shadow)
	}
}

// starts reports whether a job starts now, and sets its option. If not, the job becomes a head
// unless it shares a pool with one.
func (p *easy) starts(s *State, e *entry) bool {
	end, head := s.now+e.estimate, e.among&p.headed == 0
	for i := range e.claim.options {
		if o := &e.claim.options[i]; s.machine.fits(o) && p.harmless(o, end) {
			e.option = int32(i)
			return true
		}
	}
	if head {
		p.reserve(&s.machine, e.claim)
	}
	return false
}

// harmless reports whether a job with the given expected end may start with an option without
// delaying the pool's head. If the job would still run at the head's reservation, harmless
// subtracts its amounts from those free then.
func (p *easy) harmless(o *option, end float64) bool {
	if p.headed>>o.pool&1 == 0 {
		return true
	}
	head := &p.heads[p.of[o.pool]]
	if end <= head.shadow {
		return true
	}
	for _, x := range head.claim.options { // the head needs one of its pools
		then := p.then[x.pool]
		if x.pool == o.pool {
			then.subtract(&o.take)
		}
		if then.covers(&x.take) {
			p.then[o.pool].subtract(&o.take)
			return true
		}
	}
	return false
}

// reserve makes a job the head of its pools.
func (p *easy) reserve(m *machine, c *claim) {
	at := math.Inf(1)
	for i := range c.options {
		o := &c.options[i]
		x := &m.pools[o.pool]
		at = min(at, x.ends.when(&o.take, x.free))
	}
	for i := range c.options {
		pool := c.options[i].pool
		p.headed |= 1 << pool
		p.of[pool] = int32(len(p.heads))
		p.then[pool] = m.pools[pool].ends.by(at)
		p.then[pool].add(&m.pools[pool].free)
	}
	p.heads = append(p.heads, reservation{c, at})
	p.bound(m)
}

// Submitted implements Follower. It does nothing, because the job is last in the queue.
func (p *easy) Submitted(*State, int32) {}
