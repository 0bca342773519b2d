package sched

import (
	"math"
	"slices"
)

// Conservative is conservative backfilling (Mu'alem and Feitelson 2001): every
// job gets a reservation at its submission, at the earliest time at which it
// fits into the plan for the length of its estimate. A job may start before
// earlier ones if it delays none of them.
//
// When a job ends before its estimate the plan is compressed: in the order of
// submission each waiting job moves to the earliest time at which it then
// fits, never to a later one, until none can move. When an estimate proves too
// short or is corrected, the plan is made again from scratch, in the order of
// submission; this is the only case in which a reservation can be delayed. On a
// Cluster this affects all pools.
//
// Ties: jobs submitted at one instant reserve in the log's order, after the compression
// that follows the finishes of that instant; jobs with reservations for the
// same time start in the order of submission.
type Conservative struct{}

var _ Policy = Conservative{}

// Name returns "conservative".
func (Conservative) Name() string { return "conservative" }

// UsesEstimates returns true.
func (Conservative) UsesEstimates() bool { return true }

// Planner implements Policy.
func (Conservative) Planner(m *State) Planner {
	n := len(m.machine.pools)
	p := &conservative{m: &m.machine, free: make([][numResources]profile, n), most: make([]amounts, n)}
	p.clear(math.Inf(-1))
	return p
}

type conservative struct {
	m    *machine
	free [][numResources]profile // the plan, by pool
	anew bool                    // the plan must be made from scratch
	// Jobs that ended early have freed resources between the times gained and
	// gainedEnd; if gained >= gainedEnd there is nothing to compress.
	gained, gainedEnd float64
	most              []amounts // by pool: largest free amounts between gained and gainedEnd
}

// Submitted implements Follower.
func (p *conservative) Submitted(s *State, _ int32) {
	if p.anew {
		return // make will plan it with the others
	}
	p.settle(s)
	last := s.queue.last()
	p.reserve(s.queue.at(Place{last.chunk, last.i - 1}))
}

// planned returns the length of a job's reservation in seconds. A job with the estimate 0
// gets a second, because an empty reservation would exclude no other job; the rest is
// returned when the job ends.
func planned(estimate float64) float64 {
	if estimate == 0 {
		return shortest
	}
	return estimate
}

// reserve adds the reservation of a waiting job to the plan.
func (p *conservative) reserve(e *entry) {
	length := planned(e.estimate)
	e.reserved = math.Inf(1)
	e.reserved, e.option = p.earliest(e, length, math.Inf(1))
	p.add(optionOf(e), e.reserved, e.reserved+length, -1)
}

// optionOf returns the option that a planner has chosen for a job.
func optionOf(e *entry) *option { return &e.claim.options[e.option] }

// earliest returns the first time before limit from which a waiting job can run for length
// seconds, and the option to use; it returns limit if there is none. The job's own reservation,
// if finite, counts as free.
func (p *conservative) earliest(e *entry, length, limit float64) (at float64, option int32) {
	at = limit
	for i := range e.claim.options {
		own := math.Inf(1)
		if int32(i) == e.option {
			own = e.reserved
		}
		if t := p.earliestIn(&e.claim.options[i], length, own, at); t < at {
			at, option = t, int32(i)
		}
	}
	return at, option
}

// earliestIn returns the earliest time for one option, as earliest does. It cycles through
// the resources until all agree on a time: no solution can be earlier than the time for
// any single resource.
func (p *conservative) earliestIn(o *option, length, own, limit float64) float64 {
	planned := p.m.planned
	at := p.free[o.pool][planned[0]].steps[0].from // now
	for i, agree := 0, 0; agree < len(planned) && at < limit; i++ {
		agree++
		r := planned[i%len(planned)]
		if n := o.take[r]; n > 0 {
			if t := p.free[o.pool][r].earliest(n, at, length, own, own+length, limit); t > at {
				at, agree = t, 1
			}
		}
	}
	return at
}

// add changes the free amounts between two times by sign times the amounts of an option.
func (p *conservative) add(o *option, from, to float64, sign int64) {
	for _, r := range p.m.planned {
		if n := o.take[r]; n > 0 {
			p.free[o.pool][r].add(from, to, sign*n)
		}
	}
}

// Finished implements Follower.
func (p *conservative) Finished(s *State, slot int32) {
	j := s.jobs.At(slot)
	end := j.start + planned(j.estimate)
	if p.anew || !(s.now < end) {
		return
	}
	p.trim(s)
	p.add(j.has, s.now, end, 1)
	if p.gained < p.gainedEnd {
		p.gained, p.gainedEnd = min(p.gained, s.now), max(p.gainedEnd, end)
	} else {
		p.gained, p.gainedEnd = s.now, end
	}
}

// Revised implements Follower.
func (p *conservative) Revised(*State) { p.anew = true }

// clear resets the plan to that of an idle machine from now on.
func (p *conservative) clear(now float64) {
	for i := range p.free {
		capacity := p.m.cluster.capacity(i)
		for _, r := range p.m.planned {
			p.free[i][r].reset(now, capacity[r])
		}
	}
}

// trim removes the past from the plan.
func (p *conservative) trim(s *State) {
	for i := range p.free {
		for _, r := range p.m.planned {
			p.free[i][r].trim(s.now)
		}
	}
}

// settle brings the plan up to date: it removes the past, then makes the plan again or
// compresses it if necessary.
func (p *conservative) settle(s *State) {
	p.trim(s)
	switch {
	case p.anew:
		p.make(s)
	case p.gained < p.gainedEnd:
		p.compress(s)
	}
	p.anew, p.gained, p.gainedEnd = false, 0, 0
}

// make makes the plan from scratch.
func (p *conservative) make(s *State) {
	p.clear(s.now)
	for i := range p.m.running {
		j := s.jobs.At(p.m.running[i].Value)
		p.add(j.has, s.now, j.expected, -1)
	}
	for c := range s.queue.all {
		p.reserve(s.queue.at(c))
	}
}

// compress moves waiting jobs to earlier times. Only a job that fits somewhere between
// gained and gainedEnd can move, and only to a start before gainedEnd.
func (p *conservative) compress(s *State) {
	for moved := true; moved; {
		moved = false
		processors := p.gain()
		for c := range s.queue.all {
			e := s.queue.at(c)
			if e.size > processors || e.reserved <= s.now || !p.gains(e.claim) {
				continue
			}
			length := planned(e.estimate)
			end := e.reserved + length
			at, option := p.earliest(e, length, min(e.reserved, p.gainedEnd))
			if !(at < min(e.reserved, p.gainedEnd)) {
				continue
			}
			p.add(optionOf(e), e.reserved, end, 1)
			e.reserved, e.option = at, option
			p.add(optionOf(e), at, at+length, -1)
			p.gainedEnd = max(p.gainedEnd, end)
			processors = p.gain()
			moved = true
		}
	}
}

// gain sets p.most, and returns the largest number of processors in it.
func (p *conservative) gain() (processors int64) {
	for i := range p.free {
		for _, r := range p.m.planned {
			p.most[i][r] = p.free[i][r].most(p.gained, p.gainedEnd)
		}
		if p.m.cluster.WholeNodes {
			p.most[i] = p.m.cluster.Pools[i].nodes(p.most[i][Nodes])
		}
		processors = max(processors, p.most[i][Processors])
	}
	return processors
}

// gains reports whether one of a job's options fits into p.most.
func (p *conservative) gains(c *claim) bool {
	return slices.ContainsFunc(c.options, func(o option) bool { return p.most[o.pool].covers(&o.take) })
}

// Next implements Planner.
func (p *conservative) Next(s *State) (Place, bool) {
	p.settle(s)
	for c := range s.queue.all {
		if e := s.queue.at(c); e.reserved <= s.now && p.m.fits(optionOf(e)) {
			return c, true
		}
	}
	return Place{}, false
}
