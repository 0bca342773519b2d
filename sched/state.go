package sched

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/internal/slots"
	"github.com/loadstone-hpc/loadstone/workload"
)

// State is a machine and its queue at one moment of a simulation. Observers, policies
// and brokers read it during a call and keep nothing of it.
type State struct {
	*clock
	site    int64
	index   int // in simulation.machines
	speed   float64
	machine machine
	queue   queue

	planner  Planner
	follower Follower // nil where the planner is none
	blocked  int32    // slot of the head that the observer knows to wait, -1
	active   bool     // it is in simulation.active
	wake     float64  // s, when its next job ends or uses up its estimate
}

// clock is what all machines of a simulation share.
type clock struct {
	now  float64
	jobs slots.Table[held] // those that wait or run
}

// held is a job from its submission to its end.
type held struct {
	job      workload.Job
	number   int64   // position among the submissions
	start    float64 // s, where it runs
	estimate float64 // s, of the run time on its machine
	has      *option // where it runs
	expected float64 // s, the end by the estimate, where it runs
	seq      int64   // position among the starts on its machine, where it runs
	slot     int32
	machine  int32 // in simulation.machines, once it is sent there
	link     int32 // of simulation.feedback, where there is one
}

// Task is a job as policies and brokers see it, from its submission to its end: all
// but how long it runs.
type Task struct {
	Key      int32             // its number among the jobs that wait or run, used again after its end
	Request  *workload.Request // valid until its end, and not to be altered
	Estimate float64           // s, of the run time; 0 where the policy uses none
	Number   int64             // its position among the submissions
}

func (h *held) task() Task { return Task{h.slot, &h.job.Request, h.estimate, h.number} }

// enters notes when a running job is expected to end.
func (s *State) enters(j *held) {
	s.machine.pools[j.has.pool].ends.insert(ending{j.expected, j.seq, j.has.take, j.slot})
}

// leaves undoes enters.
func (s *State) leaves(j *held) {
	s.machine.pools[j.has.pool].ends.remove(j.expected, j.seq)
}

// expect gives a running job another estimate.
func (s *State) expect(j *held, estimate float64) {
	s.leaves(j)
	j.estimate, j.expected = estimate, j.start+estimate
	s.enters(j)
}

// Running is a job that holds processors: Request.Size of them.
type Running struct {
	Task
	Start float64 // s, when it started
}

// Site returns the partition that the machine stands for, workload.Unknown
// where one machine runs the whole log.
func (s *State) Site() int64 { return s.site }

// Index returns which of Config.Machines it is; under Config.Sites machines are counted as
// they get their first jobs.
func (s *State) Index() int { return s.index }

// Now returns the time, in seconds from the log's start.
func (s *State) Now() float64 { return s.now }

// Processors returns the size of the machine.
func (s *State) Processors() int64 { return s.machine.capacity[Processors] }

// Free returns the number of processors that no job holds.
func (s *State) Free() int64 { return s.machine.free() }

// Capacity returns what the machine has of a resource: 0 where it is not simulated,
// as are all but the processors of a machine that is not a Cluster.
func (s *State) Capacity(r Resource) int64 { return s.machine.capacity[r] }

// Held returns what running jobs hold of a resource: in thousandths of GPUs, KB of
// memory, processors or nodes.
func (s *State) Held(r Resource) int64 { return s.machine.held[r] }

// Queued returns the number of jobs that wait.
func (s *State) Queued() int { return s.queue.n }

// Running yields the jobs that run. Their order has no meaning, but is the
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

// Waiting yields the jobs that wait, with their places, in the policy's order, the
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

// Fits reports whether a job that waits could start now: there are enough processors, on
// a Cluster enough of all that it asks for in one of its pools.
func (s *State) Fits(p Place) bool {
	return s.machine.fitting(s.queue.at(p).claim) >= 0
}
