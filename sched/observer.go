package sched

import "github.com/loadstone-hpc/loadstone/workload"

// Observer is notified of the events of a simulation as they happen. The state and
// the request are valid during the call and must not be changed.
type Observer interface {
	// Blocked is called once for each job that comes to the head of the
	// queue and cannot start there: at its submission or, if that is later,
	// at the start of the job before it. The head is still queued. Under a
	// policy that lets a later job go to the head, it is called again when the
	// job is at the head again.
	Blocked(head *workload.Request, s *State)
	// Started is called for each job when it has its processors. A job of length 0
	// is running here, and at no other moment.
	Started(job Task, s *State)
}

// Settler is an Observer that is also called at the end of every instant at which jobs
// were submitted, ended or started on a machine: after the starts, so that the jobs that
// wait then wait longer than an instant.
type Settler interface {
	Observer
	// Settled is called with the machine at the end of the instant.
	Settled(s *State)
}

// Admitter is an Observer that is also called for each job that Simulate simulates, when
// it is read: the job is as in the log, with the log's submission, wait and run time.
type Admitter interface {
	Observer
	// Admitted is called with the job, which it must not alter.
	Admitted(job workload.Job)
}

// Recorder is an Observer that is also called for each job at its submission, when it is
// in the queue, and at its end, when it has returned its processors. At one
// instant of one machine jobs end in the order of their starts.
type Recorder interface {
	Observer
	// Submitted is called when the job is in the queue.
	Submitted(job Task, s *State)
	// Ended is called when the job has returned its processors; key is that of its Task.
	Ended(job *workload.Job, key int32, s *State)
}
