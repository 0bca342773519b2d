package sched

import (
	"cmp"
	"slices"
)

// finish ends the jobs that are due on all machines.
func (s *simulation) finish() {
	for _, m := range s.machines {
		if m.wake <= s.now {
			s.finishAt(m)
		}
	}
	s.finished()
}

// finishAt ends the jobs that are due on one machine, and doubles the estimates that have
// proved too short.
func (s *simulation) finishAt(m *State) {
	if s.cfg.Broker == nil {
		s.activate(m)
	}
	s.release(m)
	revised := false
	for i := range m.machine.pools {
		for x := &m.machine.pools[i].ends; x.first() <= s.now && len(x.chunks) > 0; revised = true {
			j := s.jobs.At(x.chunks[0].list[0].slot)
			m.expect(j, prolonged(j.start, j.estimate, s.now))
		}
	}
	if revised {
		s.revised(m)
	}
}

// revised notifies a machine's planner that estimates have changed.
func (s *simulation) revised(m *State) {
	if m.follower != nil {
		m.follower.Revised(m)
	}
	s.activate(m)
}

// release ends the jobs that are due on a machine, and frees their resources.
func (s *simulation) release(m *State) {
	for len(m.machine.running) > 0 && m.machine.running[0].At <= s.now {
		slot := m.machine.running.Pop().Value
		j := s.jobs.At(slot)
		m.machine.release(j.has)
		if s.plans {
			m.leaves(j)
			s.estimates.Observe(&j.job)
			if s.cfg.Correct {
				s.ended = append(s.ended, j.job)
			}
		}
		if s.feedback != nil {
			s.feedback.Finished(j.link, s.now)
		}
		if m.follower != nil {
			m.follower.Finished(m, slot)
		}
		if s.observer.Ended != nil {
			s.observer.Ended(&j.job, slot, m)
		}
		if s.cfg.Broker != nil {
			s.gone = append(s.gone, slot)
		} else {
			s.jobs.Free(slot)
		}
	}
}

// finished reports the ended jobs of all machines to the Broker, in order of submission,
// and corrects estimates.
func (s *simulation) finished() {
	if len(s.gone) > 1 {
		slices.SortFunc(s.gone, func(a, b int32) int { return cmp.Compare(s.jobs.At(a).number, s.jobs.At(b).number) })
	}
	for _, slot := range s.gone {
		j := s.jobs.At(slot)
		m := s.machines[j.machine]
		s.cfg.Broker.Ended(&j.job, slot, m)
		s.activate(m)
		s.jobs.Free(slot)
	}
	s.gone = s.gone[:0]
	if len(s.ended) > 0 {
		s.correct()
	}
}
