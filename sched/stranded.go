package sched

import "errors"

// ErrNeverStarts is the error if a policy or a Broker leaves jobs waiting although no job
// runs and none will be submitted. Each of these jobs fits its machine, so the policy or the
// Broker is at fault.
var ErrNeverStarts = errors.New("jobs never start")

// allStarted reports whether no jobs are waiting, when no job runs. If there are any, it ends
// the simulation with an error.
func (s *simulation) allStarted() bool {
	if s.jobs.Len() == 0 {
		return true
	}
	waiting := 0
	var first *held
	for _, m := range s.machines {
		for p := range m.queue.all {
			if h := s.jobs.At(m.queue.at(p).slot); first == nil || h.number < first.number {
				first = h
			}
			waiting++
		}
	}
	if first == nil {
		return s.fail("%w: the broker holds %d jobs that it does not release", ErrNeverStarts, s.jobs.Len())
	}
	return s.fail("%w: policy %s leaves %d jobs waiting with the machine empty; the first is %s of %d processors",
		ErrNeverStarts, s.cfg.Policy.Name(), waiting, first.job.Label(), first.job.Size)
}
