package sched

import (
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// correct asks anew for the estimates that the jobs that have just ended may
// have changed.
func (s *simulation) correct() {
	for _, m := range s.machines {
		running, queued := s.correctRunning(m), s.correctQueued(m)
		if running || queued {
			s.revised(m)
		}
	}
	s.ended = s.ended[:0]
}

// touches says whether a job that has just ended may change an estimate.
func (s *simulation) touches(r *workload.Request) bool {
	return s.relater == nil || slices.ContainsFunc(s.ended, func(e workload.Job) bool { return s.relater.Related(&e, r) })
}

func (s *simulation) correctRunning(m *State) (changed bool) {
	for i := range m.machine.running {
		slot := m.machine.running[i].Value
		j := m.jobs.At(slot)
		if !s.touches(&j.job.Request) {
			continue
		}
		estimate, _ := s.estimates.ask(&j.job)
		estimate /= m.speed
		if j.start+estimate <= s.now {
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
		if !s.touches(&j.job.Request) {
			continue
		}
		estimate, _ := s.estimates.ask(&j.job)
		if estimate /= m.speed; estimate != j.estimate {
			j.estimate, e.estimate = estimate, estimate
			m.queue.chunks[c.chunk].stale = true
			changed = true
		}
	}
	if !changed || m.queue.order == nil {
		return changed
	}
	var all []entry
	for c := range m.queue.all {
		all = append(all, *m.queue.at(c))
	}
	slices.SortFunc(all, func(a, b entry) int {
		if m.queue.order(m.jobs.At(a.slot), m.jobs.At(b.slot)) {
			return -1
		}
		return 1
	})
	m.queue.chunks, m.queue.n = nil, 0
	for _, e := range all {
		m.queue.push(e, &m.jobs)
	}
	return changed
}
