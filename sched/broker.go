package sched

import "github.com/loadstone-hpc/loadstone/workload"

// Machine is one of the machines that a Broker sends jobs to.
type Machine struct {
	Processors int64   // at least 1
	Speed      float64 // a job of run time T takes T/Speed; 0 is 1
}

// Hold is the answer of a Broker that keeps a job back for the time being.
const Hold = -1

// Broker sends jobs to machines, where they stay. It keeps state, and is made anew
// for each simulation. It may see tasks and machines, and no run times: a Task has an
// Estimate where the policy uses some, and where Config.Estimator is Perfect. It must
// send a job to a machine that is large enough, and be deterministic: the same calls
// have the same answers.
type Broker interface {
	// Submit is told of a job at its submission and returns the machine that gets
	// it, by its index, or Hold.
	Submit(t Task, machines []*State) int
	// Release returns the key of a job that was held back and the machine that gets
	// it now, until there is none. It is asked at the end of an instant; the job
	// starts, if it can, before it is asked again.
	Release(machines []*State) (key int32, machine int, ok bool)
	// Started is told of each job that starts on its machine.
	Started(t Task, m *State)
	// Ended is told of each job that has given back its processors, at one instant
	// in the order of the submissions. Run is at speed 1.
	Ended(job *workload.Job, key int32, m *State)
}

// Sender is what Brokers that send each job at once have in common: embed it.
type Sender struct{}

// Release implements Broker: nothing is held back.
func (Sender) Release([]*State) (key int32, machine int, ok bool) { return 0, 0, false }

// Started implements Broker; there is nothing to learn.
func (Sender) Started(Task, *State) {}

// Ended implements Broker; there is nothing to learn.
func (Sender) Ended(*workload.Job, int32, *State) {}

// dispatch sends a job where the Broker says.
func (s *Simulation) dispatch(key int32, to int) bool {
	h := s.jobs.At(key)
	if to < 0 || to >= len(s.machines) || h.job.Size > s.machines[to].machine.processors {
		return s.fail("the broker sends %s of %d processors to machine %d, want one of the %d machines that is large enough", h.job.Label(), h.job.Size, to, len(s.machines))
	}
	s.send(s.machines[to], h)
	return true
}
