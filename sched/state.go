package sched

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/internal/slots"
	"github.com/loadstone-hpc/loadstone/workload"
)

// State is a machine and its queue at one moment of a simulation. An observer
// reads it during a call and keeps nothing of it.
type State struct {
	site    int64
	machine machine
	queue   queue
	ends    ends              // expected ones; kept where the policy uses estimates
	jobs    slots.Table[held] // those that wait or run
	arrived int64             // jobs submitted so far
	now     float64
}

// held is a job from its submission to its end.
type held struct {
	job      workload.Job
	number   int64   // position among the submissions
	start    float64 // s, where it runs
	estimate float64 // s, of the run time
	expected float64 // s, the end by the estimate, where it runs
	seq      int64   // position among the starts, where it runs
	link     int32   // of simulation.feedback, where there is one
}

// hold takes a job in, and returns its slot.
func (s *State) hold(j *workload.Job, estimate float64) int32 {
	h := held{job: *j, number: s.arrived, estimate: estimate}
	s.arrived++
	return s.jobs.Put(&h)
}

// enters notes when a running job is expected to end.
func (s *State) enters(slot int32, j *held) {
	s.ends.insert(ending{j.expected, j.seq, j.job.Size, slot})
	if s.machine.pools != nil {
		s.machine.pools.enter(slot, j.expected, j.seq)
	}
}

// leaves takes that back.
func (s *State) leaves(slot int32, j *held) {
	s.ends.remove(j.expected, j.seq)
	if s.machine.pools != nil {
		s.machine.pools.leave(slot, j.expected, j.seq)
	}
}

// Running is a job that holds processors: Request.Size of them.
type Running struct {
	Request *workload.Request // valid during the observer's call
	Start   float64           // s, when it started
}

// Site returns the partition that the machine stands for, workload.Unknown
// where one machine runs the whole log.
func (s *State) Site() int64 { return s.site }

// Now returns the time, in seconds from the log's start.
func (s *State) Now() float64 { return s.now }

// Processors returns the size of the machine.
func (s *State) Processors() int64 { return s.machine.processors }

// Free returns the number of processors that no job holds.
func (s *State) Free() int64 { return s.machine.free }

// Capacity returns what the machine has of a resource: 0 where it is not simulated,
// as are all but the processors of a machine that is not a Cluster.
func (s *State) Capacity(r Resource) int64 {
	switch {
	case s.machine.pools != nil:
		return s.machine.pools.cluster.Capacity(r)
	case r == Processors:
		return s.machine.processors
	}
	return 0
}

// Held returns what running jobs hold of a resource: in thousandths of GPUs, KB of
// memory, processors or nodes.
func (s *State) Held(r Resource) int64 {
	switch {
	case s.machine.pools != nil:
		return s.machine.pools.held[r]
	case r == Processors:
		return s.machine.processors - s.machine.free
	}
	return 0
}

// HeadLacks says whether the first job of the queue finds too little of a resource
// now, in each of its pools where the machine is a Cluster.
func (s *State) HeadLacks(r Resource) bool {
	if s.queue.n == 0 {
		return false
	}
	e := s.queue.at(s.queue.first())
	if s.machine.pools != nil {
		return s.machine.pools.lacks(e.slot, r)
	}
	return r == Processors && e.size > s.machine.free
}

// Queued returns the number of jobs that wait.
func (s *State) Queued() int { return s.queue.n }

// RunningJobs returns the number of jobs that run.
func (s *State) RunningJobs() int { return len(s.machine.running) }

// Running yields the jobs that run. Their order has no meaning, but is the
// same in every run of the same simulation.
func (s *State) Running() iter.Seq[Running] {
	return func(yield func(Running) bool) {
		for i := range s.machine.running {
			p := s.jobs.At(s.machine.running[i].Value.slot)
			if !yield(Running{&p.job.Request, p.start}) {
				return
			}
		}
	}
}

// Queue yields the jobs that wait in the policy's order, the head first: by
// submission, but under SJF by estimate and under Priority by queue. The
// requests are valid during the observer's call.
func (s *State) Queue() iter.Seq[*workload.Request] {
	return func(yield func(*workload.Request) bool) {
		for c := range s.queue.all {
			if !yield(&s.jobs.At(s.queue.at(c).slot).job.Request) {
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
	// at the start of the job before it. The head is still queued. Under a
	// policy that lets a later job go to the head, it is called again when the
	// job is at the head again.
	Blocked(head *workload.Request, s *State)
	// Started is called for each job when it has got its processors. A job
	// without length is seen running here, and at no other moment.
	Started(job *workload.Request, s *State)
}

// Settler is an Observer that is also told of a machine at the end of every
// instant at which jobs were submitted, ended or started there: after the
// starts, so that who waits then waits longer than an instant.
type Settler interface {
	Observer
	Settled(s *State)
}
