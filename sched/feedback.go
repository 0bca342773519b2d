package sched

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// arrive submits the jobs that were held back until now. It returns false if the simulation
// has ended.
func (s *simulation) arrive() bool {
	return s.feedback.Arrive(s.now, func(j *workload.Job, stamp float64, link int32) bool {
		if s.observer.Delayed != nil && j.Submit > stamp {
			s.observer.Delayed(&j.Request, stamp)
		}
		return s.submit(j, link)
	})
}
