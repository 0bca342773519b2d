package sched

// Policy decides which of the waiting jobs starts now. Its implementations
// are the types of this package that are named after the policies; they hold
// no state and are safe to use in several simulations at once.
type Policy interface {
	// Name is the policy's name in commands and tables, such as "fcfs".
	Name() string

	// next returns the position in the queue of a job that starts at this
	// instant, or false where none does. The queue is not empty. A job that
	// is returned must fit the free processors. next is asked again after
	// every start.
	next(s *State) (position int, ok bool)
}

// Policies returns one of every policy.
func Policies() []Policy { return []Policy{FCFS{}} }
