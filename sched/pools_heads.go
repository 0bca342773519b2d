package sched

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
	c, ok := q.settle(p.at)
	for ok && p.pools.open(p.taken) {
		e := q.at(c)
		if p.starts(e) {
			return p.found(c), true
		}
		c, ok = q.settle(c.next())
	}
	p.at = c
	return Place{}, false
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
	for i := range options {
		p.taken[options[i].pool] = true
	}
	return false
}

func (p *poolHeads) Submitted(s *State, _ int32) {
	if s.queue.order != nil {
		p.valid = false // it may be before what was scanned
	}
}
func (p *poolHeads) Finished(*State, int32) { p.valid = false }
func (p *poolHeads) Revised(*State)         { p.valid = false }

// scan remembers how far a queue was looked through: as long as no job ends, what
// did not start cannot: time and starts only take away what is free.
type scan struct {
	valid bool
	at    Place // entries before it need not be looked at
	took  bool  // a job was taken from there
}

// begin goes on with a scan. It is true where it begins anew.
func (x *scan) begin(q *queue) bool {
	switch {
	case !x.valid:
		*x = scan{valid: true, at: q.first()}
		return true
	case x.took:
		x.at, x.took = q.after, false
	}
	return false
}

// found notes that the job at a place starts.
func (x *scan) found(c Place) Place {
	x.at, x.took = c, true
	return c
}
