package sched

import "github.com/loadstone-hpc/loadstone/workload"

// Observer has functions that are called as the events of a simulation happen; nil ones are
// not. States and requests are valid during the call and must not be changed; key is that of
// the job's Task.
type Observer struct {
	// Admitted is called for each job that is simulated, when it is read: the job is as
	// in the log, with the log's submission, wait and run time.
	Admitted func(job workload.Job)
	// Delayed is called for each job that Config.Feedback submits later than the log does,
	// at its submission, whose time is job.Submit; submit is the log's, in seconds.
	Delayed func(job *workload.Request, submit float64)
	// Submitted is called for each job at its submission, when it is in the queue.
	Submitted func(job Task, s *State)
	// Blocked is called once for each job that comes to the head of the
	// queue and cannot start there: at its submission or, if that is later,
	// at the start of the job before it. The head is still queued. Under a
	// policy that lets a later job go to the head, it is called again when the
	// job is at the head again.
	Blocked func(head *workload.Request, s *State)
	// Started is called for each job when it has its processors. A job of length 0
	// is running here, and at no other moment.
	Started func(job Task, s *State)
	// Ended is called for each job when it has returned its processors. At one
	// instant of one machine jobs end in the order of their starts.
	Ended func(job *workload.Job, key int32, s *State)
	// Settled is called at the end of every instant at which jobs were submitted, ended or
	// started on a machine: after the starts, so that the jobs that wait then wait longer
	// than an instant.
	Settled func(s *State)
}
