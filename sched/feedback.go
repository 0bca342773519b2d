package sched

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// arrive submits the jobs that were held back and whose time has come.
func (s *simulation) arrive() bool {
	return s.feedback.Arrive(s.now, func(j *workload.Job, stamp float64, link int32) bool {
		if s.observer.Delayed != nil && j.Submit > stamp {
			s.observer.Delayed(&j.Request, stamp)
		}
		return s.submit(j, link)
	})
}
