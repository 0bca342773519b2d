package sched

// EASY is first come, first served with aggressive backfilling (Lifka 1995):
// the job at the head of the queue has a reservation, the earliest time at
// which the running jobs' estimates leave it enough processors, and a job
// behind it starts before it where that does not delay the reservation: it is
// expected to end by then, or takes processors that the head will leave over.
//
// Ties: jobs that are expected to end exactly at the reservation count as
// ended; candidates are tried in the order of submission, and each that fits
// starts; a job that is expected to end exactly at the reservation may start.
type EASY struct{}

var _ Policy = EASY{}

// Name returns "easy".
func (EASY) Name() string { return "easy" }

// UsesEstimates returns true.
func (EASY) UsesEstimates() bool { return true }

// Planner implements Policy.
func (EASY) Planner(m *State) Planner {
	if p := m.machine.pools; p != nil {
		return newEasyPools(p)
	}
	return &easy{}
}

// easy remembers the head's reservation, and how far the queue was scanned
// under it: as long as no job ends, what did not fit never will, since time
// only shortens the gap and starts only fill it.
type easy struct {
	valid  bool
	shadow float64 // s, when the head is expected to start
	extra  int64   // processors that it will leave over
	at     Place   // entries before it need not be looked at
	took   bool    // a job was taken from there
}

func (p *easy) Next(s *State) (Place, bool) {
	q := &s.queue
	head := q.first()
	size, free := q.at(head).size, s.machine.free
	switch {
	case size <= free:
		p.valid = false
		return head, true
	case free == 0:
		return Place{}, false
	case !p.valid:
		at, then := s.ends.when(size, free)
		*p = easy{valid: true, shadow: at, extra: then - size, at: head.next()}
	case p.took:
		p.at, p.took = q.after, false
	}
	c, ok := q.fit(p.at, free, s.now, p.shadow, p.extra)
	p.at = c
	if ok {
		p.took = true
		if e := q.at(c); s.now+e.estimate > p.shadow {
			p.extra -= e.size
		}
	}
	return c, ok
}

func (p *easy) Submitted(*State, int32) {}
func (p *easy) Finished(*State, int32)  { p.valid = false }
func (p *easy) Revised(*State)          { p.valid = false }
