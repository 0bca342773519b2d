package sched

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/workload"
)

// State is the machine and its queue at one moment of a simulation. An
// observer reads it during a call and keeps nothing of it.
type State struct {
	machine machine
	queue   queue
	now     float64
}

// Running is a job that holds processors: Request.Size of them.
type Running struct {
	Request *workload.Request // valid during the observer's call
	Start   float64           // s, when it started
}

// Now returns the time, in seconds from the log's start.
func (s *State) Now() float64 { return s.now }

// Processors returns the size of the machine.
func (s *State) Processors() int64 { return s.machine.processors }

// Free returns the number of processors that no job holds.
func (s *State) Free() int64 { return s.machine.free }

// Queued returns the number of jobs that wait.
func (s *State) Queued() int { return s.queue.n }

// RunningJobs returns the number of jobs that run.
func (s *State) RunningJobs() int { return len(s.machine.running) }

// Running yields the jobs that run. Their order has no meaning, but is the
// same in every run of the same simulation.
func (s *State) Running() iter.Seq[Running] {
	return func(yield func(Running) bool) {
		for i := range s.machine.running {
			p := &s.machine.placed[s.machine.running[i].slot]
			if !yield(Running{&p.request, p.start}) {
				return
			}
		}
	}
}

// Queue yields the jobs that wait, by submission, the head first. The
// requests are valid during the observer's call.
func (s *State) Queue() iter.Seq[*workload.Request] {
	return func(yield func(*workload.Request) bool) {
		for i := range s.queue.n {
			if !yield(&s.queue.at(i).Request) {
				return
			}
		}
	}
}

// Observer is told of a simulation's moments as they happen. The state and
// the request are valid during the call, and are not to be altered.
type Observer interface {
	// Blocked is called once for each job that comes to the head of the
	// queue and cannot start there: at its submission or, if that is later,
	// at the start of the job before it. The head is still queued.
	Blocked(head *workload.Request, s *State)
	// Started is called for each job when it has got its processors. A job
	// without length is seen running here, and at no other moment.
	Started(job *workload.Request, s *State)
}
