package sched

import "github.com/loadstone-hpc/loadstone/workload"

// Observer contains functions that are called for the events of a simulation; any of them
// may be nil. States and requests are valid only during the call and must not be changed.
// key is the Key of the job's Task.
type Observer struct {
	// Admitted is called for each job that is simulated, when it is read. The job is as
	// in the log, with the log's submission, wait and run time.
	Admitted func(job workload.Job)
	// Delayed is called for each job that Config.Feedback submits later than the log does,
	// at its simulated submission, job.Submit; submit is its submission in the log, in seconds.
	Delayed func(job *workload.Request, submit float64)
	// Submitted is called for each job at its submission, after it has entered the queue.
	Submitted func(job Task, s *State)
	// Blocked is called once for each job that comes to the head of the
	// queue and cannot start there: at its submission or, if that is later,
	// at the start of the job before it. The head is still queued. If another job
	// goes to the head in between, as some policies allow, Blocked is called again
	// when the job is back at the head.
	Blocked func(head *workload.Request, s *State)
	// Started is called for each job after it has received its processors. In this call
	// only, a job of length 0 is among the running jobs.
	Started func(job Task, s *State)
	// Ended is called for each job after it has returned its processors. Jobs that end at
	// one instant on one machine end in the order of their starts.
	Ended func(job *workload.Job, key int32, s *State)
	// Settled is called at the end of every instant at which jobs were submitted, ended or
	// started on a machine, after the starts. Jobs that wait then wait longer than an
	// instant.
	Settled func(s *State)
}
