package sched

// Policy decides which of the waiting jobs start. A policy holds no state and is safe
// to use in several simulations at once: it is its parameters, and Planner makes what
// decides. One that wants another order of the queue than that of the submissions is
// Ordered, one with parameters that a command can set is Adjustable.
type Policy interface {
	// Name is the policy's name in commands and tables, such as "fcfs".
	Name() string
	// UsesEstimates says whether the policy looks at estimates of run times: where
	// it does not, there are none.
	UsesEstimates() bool
	// Planner makes what decides on one machine in one simulation.
	Planner(m *State) Planner
}

// Planner is a policy at work on one machine. It may see all that State tells: who
// waits and who runs, what they asked for, their estimates and ages, and no run time.
// It must be deterministic: the same calls have the same answers.
type Planner interface {
	// Next returns the place in the queue of a job that starts now, false where
	// none does. The queue is not empty. The job must fit (State.Fits): starting one
	// that does not ends the simulation with an error. Next is asked at the end of
	// each instant at which something happened on the machine, and again after every
	// start.
	Next(m *State) (Place, bool)
}

// Follower is a Planner that is also told what happens between its decisions.
type Follower interface {
	Planner
	// Submitted is told of a job that has come into the queue, by its Task.Key.
	Submitted(m *State, key int32)
	// Finished is told of a job that has given back its processors.
	Finished(m *State, key int32)
	// Revised is told that estimates of jobs have changed.
	Revised(m *State)
}

// Ordered is a Policy whose queue is not in the order of the submissions. Before says
// whether a job waits before another; it depends on the two alone and does not change
// with time, except by corrected estimates, and no two jobs are before each other.
type Ordered interface {
	Policy
	Before(a, b Task) bool
}

// Policies returns one of every policy of this package: the list in which commands
// look for a name, to which a caller may append its own.
func Policies() []Policy {
	return []Policy{FCFS{}, EASY{}, Conservative{}, SJF{}, Priority{}}
}

// orderOf returns a queue's order; nil is that of the submissions.
func orderOf(p Policy) func(a, b *held) bool {
	o, ok := p.(Ordered)
	if !ok {
		return nil
	}
	return func(a, b *held) bool { return o.Before(a.task(), b.task()) }
}

// inOrder is the planner of policies under which no job overtakes another.
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
