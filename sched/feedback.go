package sched

import (
	"github.com/loadstone-hpc/loadstone/workload"
)

// Delayer is an Observer that is also told of each job that Config.Feedback
// submits later than the log does.
type Delayer interface {
	Observer
	// Delayed is called at the submission, whose time is job.Submit; submit is
	// the log's, in seconds.
	Delayed(job *workload.Request, submit float64)
}

// arrive submits the jobs that were held back and whose time has come.
func (s *Simulation) arrive() bool {
	return s.feedback.Arrive(s.now, func(j *workload.Job, stamp float64, link int32) bool {
		if s.delayer != nil && j.Submit > stamp {
			s.delayer.Delayed(&j.Request, stamp)
		}
		return s.submit(j, link)
	})
}
