package sched

import "github.com/loadstone-hpc/loadstone/workload"

// Machine describes one of several machines to which a Broker sends jobs.
type Machine struct {
	Processors int64   // at least 1
	Speed      float64 // relative: a job with run time T takes T/Speed; 0 means 1
}

// Hold is the answer of Broker.Submit for a job that is kept back until Release.
const Hold = -1

// Broker assigns each job to a machine. A Broker has state: use a new one for each
// simulation. It sees tasks and machines but no run times; a Task has an Estimate
// if the policy uses estimates or Config.Estimator is Perfect. It must send a job to a
// machine that is large enough, and be deterministic: the same calls give the same answers.
type Broker interface {
	// Submit is called at a job's submission. It returns the index of the machine that
	// receives the job, or Hold.
	Submit(t Task, machines []*State) int
	// Release returns the key of a job that was held back and the index of the machine
	// that receives it now; ok is false if there is no such job. It is called at the end
	// of each instant until ok is false; the job starts, if it can, before the next call.
	Release(machines []*State) (key int32, machine int, ok bool)
	// Started is called for each job that starts on its machine.
	Started(t Task, m *State)
	// Ended is called for each job that has returned its processors. Jobs that end at one
	// instant are reported in order of submission. job.Run is the run time at speed 1.
	Ended(job *workload.Job, key int32, m *State)
}

// Sender is meant to be embedded in a Broker that holds no jobs back and learns nothing.
// It implements all methods of Broker except Submit.
type Sender struct{}

// Release implements Broker. It returns false, because no job is held back.
func (Sender) Release([]*State) (key int32, machine int, ok bool) { return 0, 0, false }

// Started implements Broker. It does nothing.
func (Sender) Started(Task, *State) {}

// Ended implements Broker. It does nothing.
func (Sender) Ended(*workload.Job, int32, *State) {}

// dispatch sends a job to the machine that the Broker chose. If the machine does not exist or
// is too small, it ends the simulation with an error and returns false.
func (s *simulation) dispatch(key int32, to int) bool {
	h := s.jobs.At(key)
	if to < 0 || to >= len(s.machines) || h.job.Size > s.machines[to].machine.capacity[Processors] {
		return s.fail("the broker sends %s of %d processors to machine %d, want one of the %d machines that are large enough", h.job.Label(), h.job.Size, to, len(s.machines))
	}
	s.send(s.machines[to], h)
	return true
}
