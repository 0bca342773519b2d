package sched

// Policy decides which of the waiting jobs starts now. Its implementations
// are the types of this package that are named after the policies; they hold
// no state and are safe to use in several simulations at once.
type Policy interface {
	// Name is the policy's name in commands and tables, such as "fcfs".
	Name() string

	// UsesEstimates says whether the policy looks at estimates of run times.
	UsesEstimates() bool

	// planner makes what decides in one simulation of one machine; pools are those
	// of a Cluster, else nil.
	planner(*pools) planner

	// order says whether a job waits before another one that was submitted no
	// later; a nil function is the order of submission.
	order() func(a, b *held) bool
}

// Policies returns one of every policy.
func Policies() []Policy {
	return []Policy{FCFS{}, EASY{}, Conservative{}, SJF{}, Priority{}}
}

// PolicyNamed returns the policy of that name; queues are those of Priority, and
// of no other. It is false where there is none.
func PolicyNamed(name string, queues []int64) (Policy, bool) {
	for _, p := range Policies() {
		if p.Name() != name {
			continue
		}
		if _, ok := p.(Priority); ok {
			return Priority{Queues: queues}, true
		}
		return p, true
	}
	return nil, false
}

// planner is a policy at work on one machine.
type planner interface {
	// next returns the place in the queue of a job that starts at this
	// instant, or false where none does. The queue is not empty. A job that
	// is returned must fit the free processors; on a Cluster it must fit in the
	// pool that its entry says. next is asked again after every start.
	next(s *State) (cursor, bool)
	// submitted is told of a job that has come into the queue.
	submitted(s *State, slot int32)
	// finished is told of a job that has given back its processors.
	finished(s *State, slot int32)
	// revised is told that estimates of jobs have changed.
	revised(s *State)
}

// inOrder is the planner of policies under which no job overtakes another.
func inOrder(p *pools) planner {
	if p != nil {
		return newPoolHeads(p)
	}
	return headOnly{}
}

// headOnly starts the job at the head of the queue, when it fits, and no
// other.
type headOnly struct{}

func (headOnly) next(s *State) (cursor, bool) {
	c := s.queue.first()
	return c, s.queue.at(c).size <= s.machine.free
}

func (headOnly) submitted(*State, int32) {}
func (headOnly) finished(*State, int32)  {}
func (headOnly) revised(*State)          {}
