package sched

import (
	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// start starts the jobs that the policies choose on the active machines, then those
// that a Broker releases. It returns false if the simulation has ended.
func (s *simulation) start() bool {
	for {
		for i := 0; i < len(s.active); i++ {
			m := s.active[i]
			m.active = false
			if !s.startAt(m) {
				return false
			}
			if s.observer.Settled != nil {
				s.observer.Settled(m)
			}
			m.wake = m.due()
		}
		s.active = s.active[:0]
		if s.cfg.Broker == nil {
			return true
		}
		key, to, ok := s.cfg.Broker.Release(s.machines)
		if !ok {
			return true
		}
		if !s.dispatch(key, to) {
			return false
		}
	}
}

func (s *simulation) startAt(m *State) bool {
	if m.planner == nil {
		return s.fail("policy %s returns no Planner", s.cfg.Policy.Name())
	}
	for m.queue.n > 0 {
		p, ok := m.planner.Next(m)
		if !ok {
			if s.observer.Blocked != nil {
				s.block(m)
			}
			return true
		}
		if !m.startable(p) {
			return s.fail("policy %s starts a job that is not waiting or does not fit", s.cfg.Policy.Name())
		}
		h := s.occupy(m, p)
		if s.observer.Started != nil {
			s.observer.Started(h.task(), m)
		}
		if s.cfg.Broker != nil {
			s.cfg.Broker.Started(h.task(), m)
		}
		j := h.job
		j.Run /= m.speed
		if h.start+j.Run <= s.now { // before the next start of this instant
			s.release(m)
			s.finished()
		}
		if !s.started(j, nil) {
			return false
		}
	}
	return true
}

// startable reports whether the job at a place can start. If the option that the planner has
// chosen does not fit, startable chooses another one.
func (s *State) startable(p Place) bool {
	if p.chunk < 0 || p.chunk >= len(s.queue.chunks) {
		return false
	}
	k := s.queue.chunks[p.chunk]
	if p.i < k.head || p.i >= k.end {
		return false
	}
	e := &k.entries[p.i]
	if !s.machine.fits(optionOf(e)) {
		e.option = s.machine.fitting(e.claim)
	}
	return e.option >= 0
}

// block reports a head that waits to the observer, once.
func (s *simulation) block(m *State) {
	if head := m.queue.at(m.queue.first()).slot; head != m.blocked {
		m.blocked = head
		s.observer.Blocked(&s.jobs.At(head).job.Request, m)
	}
}

// occupy removes the job at a place from the queue and starts it.
func (s *simulation) occupy(m *State, p Place) *held {
	e := m.queue.at(p)
	slot, has := e.slot, optionOf(e)
	m.queue.remove(p)
	if slot == m.blocked {
		m.blocked = -1
	}
	h := s.jobs.At(slot)
	h.job.Wait = s.now - h.job.Submit
	h.start, h.seq, h.has = s.now, m.machine.started, has
	m.machine.started++
	m.machine.take(has)
	m.machine.running.Push(heap.Item[int32]{At: s.now + h.job.Run/m.speed, Seq: h.seq, Value: slot})
	if s.plans {
		h.expected = s.now + h.estimate
		m.enters(h)
	}
	return h
}
