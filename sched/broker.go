package sched

import "github.com/loadstone-hpc/loadstone/workload"

// Machine is one of several machines, to which a Broker sends jobs.
type Machine struct {
	Processors int64   // at least 1
	Speed      float64 // relative: a job with run time T takes T/Speed; 0 stands for 1
}

// Hold is the answer of Broker.Submit for a job that is kept back until Release.
const Hold = -1

// Broker sends each job to a machine, where it stays. A Broker keeps state: use a new one
// for each simulation. It sees tasks and machines but no run times; a Task has an Estimate
// if the policy uses estimates or Config.Estimator is Perfect. It must send a job to a
// machine that is large enough, and be deterministic: the same calls give the same answers.
type Broker interface {
	// Submit is called at a job's submission and returns the index of the machine
	// that gets it, or Hold.
	Submit(t Task, machines []*State) int
	// Release returns the key of a job that was held back and the index of the machine
	// that gets it now; ok is false if there is none. It is called at the end of each
	// instant until ok is false; the job starts, if it can, before the next call.
	Release(machines []*State) (key int32, machine int, ok bool)
	// Started is called for each job that starts on its machine.
	Started(t Task, m *State)
	// Ended is called for each job that has returned its processors; those of one
	// instant in order of submission. job.Run is at speed 1.
	Ended(job *workload.Job, key int32, m *State)
}

// Sender implements the methods of a Broker that sends each job at once and learns
// nothing: embed it.
type Sender struct{}

// Release implements Broker: no job is held back.
func (Sender) Release([]*State) (key int32, machine int, ok bool) { return 0, 0, false }

// Started implements Broker. It does nothing.
func (Sender) Started(Task, *State) {}

// Ended implements Broker. It does nothing.
func (Sender) Ended(*workload.Job, int32, *State) {}

// dispatch sends a job to the machine that the Broker chose, or ends the simulation with
// an error if the machine does not exist or is too small.
func (s *simulation) dispatch(key int32, to int) bool {
	h := s.jobs.At(key)
	if to < 0 || to >= len(s.machines) || h.job.Size > s.machines[to].machine.capacity[Processors] {
		return s.fail("the broker sends %s of %d processors to machine %d, want one of the %d machines that are large enough", h.job.Label(), h.job.Size, to, len(s.machines))
	}
	s.send(s.machines[to], h)
	return true
}
