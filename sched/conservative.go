package sched

import "math"

// Conservative is conservative backfilling (Mu'alem and Feitelson 2001): every
// job has a reservation from its submission on, the earliest time at which it
// fits beside all that is planned, for as long as its estimate; a job may
// start before others where it delays none of them.
//
// When a job ends before its estimate the plan is compressed: in the order of
// submission each waiting job moves to the earliest time at which it then
// fits, never to a later one, until none can move. When an estimate proves too
// short or is corrected, the plan is made anew, in the order of submission;
// this is the one case in which a reservation can be delayed. On a Cluster that
// is done in all pools.
//
// Ties: jobs of one instant reserve in the log's order, after the compression
// that follows the finishes of that instant; those with reservations for the
// same time start in the order of submission.
type Conservative struct{}

var _ Policy = Conservative{}

// Name returns "conservative".
func (Conservative) Name() string { return "conservative" }

// UsesEstimates returns true.
func (Conservative) UsesEstimates() bool { return true }

// Planner implements Policy.
func (Conservative) Planner(m *State) Planner {
	if p := m.machine.pools; p != nil {
		return &conservative{soonest: math.Inf(1), plan: newPoolPlan(p)}
	}
	return &conservative{soonest: math.Inf(1), plan: &processorPlan{}}
}

type conservative struct {
	plan    plan
	begun   bool
	soonest float64 // s, the first reservation
	anew    bool    // the plan is to be made anew
	// Processors were given back before their time between gained and
	// gainedEnd; nothing where gained is not below it.
	gained, gainedEnd float64
}

func (p *conservative) Submitted(s *State, _ int32) {
	if p.anew {
		return // it is planned with the others
	}
	p.settle(s)
	last := s.queue.last()
	p.reserve(s.queue.at(Place{last.chunk, last.i - 1}))
}

// planned is how long a job is planned for. One without length gets a second,
// or its reservation would keep nobody off; it is given back at once.
func planned(estimate float64) float64 {
	if estimate == 0 {
		return shortest
	}
	return estimate
}

// reserve plans a job that waits.
func (p *conservative) reserve(e *entry) {
	length := planned(e.estimate)
	e.reserved = math.Inf(1)
	e.reserved, e.pool = p.plan.earliest(e, length, math.Inf(1))
	p.plan.take(e.holding(), e.reserved, e.reserved+length)
	p.soonest = min(p.soonest, e.reserved)
}

func (p *conservative) Finished(s *State, slot int32) {
	j := s.jobs.At(slot)
	end := j.start + planned(j.estimate)
	if p.anew || !(s.now < end) {
		return
	}
	p.trim(s)
	p.plan.give(s.holding(slot), s.now, end)
	if p.gained < p.gainedEnd {
		p.gained, p.gainedEnd = min(p.gained, s.now), max(p.gainedEnd, end)
	} else {
		p.gained, p.gainedEnd = s.now, end
	}
}

func (p *conservative) Revised(*State) { p.anew = true }

// trim brings the plan to now.
func (p *conservative) trim(s *State) {
	if !p.begun {
		p.begun = true
		p.plan.reset(&s.machine, s.now)
	}
	p.plan.trim(s.now)
}

// settle brings the plan to now, and puts right what no longer is.
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

// make plans everything from nothing.
func (p *conservative) make(s *State) {
	p.plan.reset(&s.machine, s.now)
	for i := range s.machine.running {
		slot := s.machine.running[i].Value.slot
		p.plan.take(s.holding(slot), s.now, s.jobs.At(slot).expected)
	}
	p.soonest = math.Inf(1)
	for c := range s.queue.all {
		p.reserve(s.queue.at(c))
	}
}

// compress moves waiting jobs into what was given back. Only a job that fits
// somewhere into the gain can move, and only to a start before its end.
func (p *conservative) compress(s *State) {
	for moved := true; moved; {
		moved = false
		most := p.plan.most(p.gained, p.gainedEnd)
		for c := range s.queue.all {
			e := s.queue.at(c)
			if e.size > most || e.reserved <= s.now {
				continue
			}
			length := planned(e.estimate)
			end := e.reserved + length
			at, pool := p.plan.earliest(e, length, min(e.reserved, p.gainedEnd))
			if !(at < min(e.reserved, p.gainedEnd)) {
				continue
			}
			p.plan.give(e.holding(), e.reserved, end)
			e.reserved, e.pool = at, pool
			p.plan.take(e.holding(), at, at+length)
			p.gainedEnd = max(p.gainedEnd, end)
			most = p.plan.most(p.gained, p.gainedEnd)
			moved = true
		}
	}
	p.first(s)
}

// first finds the first reservation anew.
func (p *conservative) first(s *State) {
	p.soonest = math.Inf(1)
	for c := range s.queue.all {
		p.soonest = min(p.soonest, s.queue.at(c).reserved)
	}
}

func (p *conservative) Next(s *State) (Place, bool) {
	p.settle(s)
	if p.soonest > s.now {
		return Place{}, false
	}
	for c := range s.queue.all {
		if e := s.queue.at(c); e.reserved <= s.now && s.machine.fits(e) {
			return c, true
		}
	}
	p.first(s) // those that were to start now have done so
	return Place{}, false
}
