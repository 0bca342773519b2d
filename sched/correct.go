package sched

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// correct updates the estimates that may have changed because of the jobs that have
// just ended.
func (s *simulation) correct() {
	for _, m := range s.machines {
		running, queued := s.correctRunning(m), s.correctQueued(m)
		if running || queued {
			s.revised(m)
		}
	}
	s.ended = s.ended[:0]
}

// touches reports whether a job that has just ended may change the estimate of r.
func (s *simulation) touches(r *workload.Request) bool {
	return s.relater == nil || slices.ContainsFunc(s.ended, func(e workload.Job) bool { return s.relater.Related(&e, r) })
}

// anew returns the present estimate of a job on a machine, and whether it has changed.
func (s *simulation) anew(j *held, m *State) (estimate float64, changed bool) {
	if !s.touches(&j.job.Request) {
		return j.estimate, false
	}
	estimate, _ = s.estimates.ask(&j.job)
	estimate /= m.speed
	return estimate, estimate != j.estimate
}

func (s *simulation) correctRunning(m *State) (changed bool) {
	for i := range m.machine.running {
		j := m.jobs.At(m.machine.running[i].Value)
		estimate, differs := s.anew(j, m)
		if differs && j.start+estimate <= s.now {
			estimate = prolonged(j.start, estimate, s.now)
		}
		if estimate != j.estimate {
			m.expect(j, estimate)
			changed = true
		}
	}
	return changed
}

func (s *simulation) correctQueued(m *State) (changed bool) {
	for c := range m.queue.all {
		e := m.queue.at(c)
		j := m.jobs.At(e.slot)
		if estimate, differs := s.anew(j, m); differs {
			j.estimate, e.estimate = estimate, estimate
			m.queue.chunks[c.chunk].stale = true
			changed = true
		}
	}
	if !changed || m.queue.order == nil {
		return changed
	}
	old := m.queue
	m.queue = queue{order: old.order}
	for c := range old.all {
		m.queue.push(*old.at(c), &m.jobs)
	}
	return changed
}
