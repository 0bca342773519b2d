package sched

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/internal/slots"
	"github.com/loadstone-hpc/loadstone/workload"
)

// State is a machine and its queue at one moment of a simulation. Observers, policies
// and brokers may read it during a call and must not retain it.
type State struct {
	*clock
	site    int64
	index   int // in simulation.machines
	speed   float64
	machine machine
	queue   queue

	planner  Planner
	follower Follower // nil if the planner does not implement it
	blocked  int32    // slot of the waiting head that was reported to the observer; -1 if none
	active   bool     // it is in simulation.active
	wake     float64  // s, when its next job ends or reaches its estimate
}

// clock is the state shared by all machines of a simulation.
type clock struct {
	now  float64
	jobs slots.Table[held] // waiting and running jobs
}

// held is a job from its submission to its end. The fields marked "running" are set only
// while it runs.
type held struct {
	job      workload.Job
	number   int64   // position among the submissions
	start    float64 // s; running
	estimate float64 // s, of the run time on its machine
	has      *option // what it holds; running
	expected float64 // s, the end by the estimate; running
	seq      int64   // position among the starts on its machine; running
	slot     int32
	machine  int32 // index in simulation.machines, once it is sent there
	link     int32 // in simulation.feedback, if there is one
}

// Task is a job as seen by policies and brokers, from its submission to its end. It does
// not contain the run time.
type Task struct {
	Key      int32             // identifies the job while it waits or runs; reused after its end
	Request  *workload.Request // valid until the job's end; must not be altered
	Estimate float64           // s, of the run time; 0 if the policy uses no estimates
	Number   int64             // position among the submissions
}

func (h *held) task() Task { return Task{h.slot, &h.job.Request, h.estimate, h.number} }

// enters records the expected end of a running job.
func (s *State) enters(j *held) {
	s.machine.pools[j.has.pool].ends.insert(ending{j.expected, j.seq, j.has.take, j.slot})
}

// leaves undoes enters.
func (s *State) leaves(j *held) {
	s.machine.pools[j.has.pool].ends.remove(j.expected, j.seq)
}

// expect changes the estimate of a running job.
func (s *State) expect(j *held, estimate float64) {
	s.leaves(j)
	j.estimate, j.expected = estimate, j.start+estimate
	s.enters(j)
}

// Running is a running job. It holds Request.Size processors.
type Running struct {
	Task
	Start float64 // s, when it started
}

// Site returns the partition that the machine serves under Config.Sites, and
// workload.Unknown otherwise.
func (s *State) Site() int64 { return s.site }

// Index returns the index of the machine in Config.Machines. Under Config.Sites machines are
// numbered in the order of their first jobs.
func (s *State) Index() int { return s.index }

// Now returns the time, in seconds from the log's start.
func (s *State) Now() float64 { return s.now }

// Processors returns the size of the machine.
func (s *State) Processors() int64 { return s.machine.capacity[Processors] }

// Free returns the number of processors that no job holds.
func (s *State) Free() int64 { return s.machine.free() }

// Capacity returns the amount of a resource that the machine has, in the units of Held. It is 0
// if the resource is not simulated; on a machine that is not a Cluster, only processors are.
func (s *State) Capacity(r Resource) int64 { return s.machine.capacity[r] }

// Held returns the amount of a resource that running jobs hold, in processors,
// thousandths of GPUs, KB of memory or nodes.
func (s *State) Held(r Resource) int64 { return s.machine.held[r] }

// Queued returns the number of waiting jobs.
func (s *State) Queued() int { return s.queue.n }

// Running yields the running jobs. Their order has no meaning, but is the
// same in every run of the same simulation.
func (s *State) Running() iter.Seq[Running] {
	return func(yield func(Running) bool) {
		for i := range s.machine.running {
			p := s.jobs.At(s.machine.running[i].Value)
			if !yield(Running{p.task(), p.start}) {
				return
			}
		}
	}
}

// Waiting yields the waiting jobs with their places, in the policy's order, the
// head first: by submission, but under SJF by estimate and under Priority by queue.
func (s *State) Waiting() iter.Seq2[Place, Task] {
	return func(yield func(Place, Task) bool) {
		for p := range s.queue.all {
			if !yield(p, s.jobs.At(s.queue.at(p).slot).task()) {
				return
			}
		}
	}
}

// Fits reports whether a waiting job could start now: enough processors are free or, on
// a Cluster, enough of all that it requests in one of its pools.
func (s *State) Fits(p Place) bool {
	return s.machine.fitting(s.queue.at(p).claim) >= 0
}
