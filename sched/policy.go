package sched

// Policy decides which of the waiting jobs start. It holds parameters and no state, and is
// safe to use in several simulations at once; its Planner keeps the state for one machine.
// A policy whose queue is not in order of submission implements Ordered. One with
// parameters that a command can set is a struct whose fields have tags (PolicyNamed).
type Policy interface {
	// Name returns the policy's name in commands and tables, such as "fcfs".
	Name() string
	// UsesEstimates reports whether the policy needs estimates of run times. If not,
	// Task.Estimate is not set.
	UsesEstimates() bool
	// Planner returns a new Planner for one machine in one simulation. nil ends the
	// simulation with an error.
	Planner(m *State) Planner
}

// Planner applies a policy to one machine. It sees what State exposes: the jobs that wait
// and run, their requests, estimates and ages, and no run time. It must be deterministic:
// the same calls give the same answers.
type Planner interface {
	// Next returns the place in the queue of a job that starts now, or false if none
	// does. The queue is not empty. The job must fit (State.Fits): starting one
	// that does not ends the simulation with an error. Next is called at the end of
	// each instant at which something happened on the machine, and again after every
	// start. It is not called because time passes: every job must start at the latest
	// when the machine is empty and no other job will be submitted. One that does not
	// ends the simulation with ErrNeverStarts.
	Next(m *State) (Place, bool)
}

// Follower is a Planner that is also notified of what happens between its decisions.
type Follower interface {
	Planner
	// Submitted is called after a job has entered the queue; key is its Task.Key.
	Submitted(m *State, key int32)
	// Finished is called after a job has returned its processors.
	Finished(m *State, key int32)
	// Revised is called after estimates of jobs have changed.
	Revised(m *State)
}

// Ordered is a Policy whose queue is not in order of submission. Before reports whether
// a is ahead of b in the queue. It depends on the two tasks alone, changes only when
// estimates are corrected, and is a strict weak order.
type Ordered interface {
	Policy
	// Before reports whether a is ahead of b in the queue.
	Before(a, b Task) bool
}

// Policies returns one of every policy of this package: the list in which commands look
// up names. A caller may append custom policies.
func Policies() []Policy {
	return []Policy{FCFS{}, EASY{}, Conservative{}, SJF{}, Priority{}}
}

// orderOf returns the order of a policy's queue; nil is the order of submission.
func orderOf(p Policy) func(a, b *held) bool {
	o, ok := p.(Ordered)
	if !ok {
		return nil
	}
	return func(a, b *held) bool { return o.Before(a.task(), b.task()) }
}

// inOrder returns the planner of policies under which no job overtakes another.
func inOrder(m *State) Planner {
	if p := m.machine.pools; p != nil {
		return newPoolHeads(p)
	}
	return headOnly{}
}

// headOnly starts the job at the head of the queue, when it fits, and no
// other.
type headOnly struct{}

func (headOnly) Next(s *State) (Place, bool) {
	c := s.queue.first()
	return c, s.queue.at(c).size <= s.machine.free
}
