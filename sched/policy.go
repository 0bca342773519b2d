package sched

import "github.com/loadstone-hpc/loadstone/internal/opt"

// Policy decides which of the waiting jobs start. It holds parameters and no state, and is
// safe to use in several simulations at once; its Planner has the state for one machine.
// A policy whose queue is not in order of submission implements Ordered. A policy with
// parameters that commands can set is a struct whose fields have tags (see PolicyNamed).
type Policy interface {
	// Name returns the policy's name in commands and tables, such as "fcfs".
	Name() string
	// UsesEstimates reports whether the policy needs estimates of run times. If not,
	// Task.Estimate is not set.
	UsesEstimates() bool
	// Planner returns a new Planner for one machine in one simulation. If it returns nil,
	// the simulation ends with an error.
	Planner(m *State) Planner
}

// Planner applies a policy to one machine. It sees what State exposes: the waiting and
// running jobs, their requests, estimates and ages, and no run time. It must be deterministic:
// the same calls give the same answers.
type Planner interface {
	// Next returns the place in the queue of a job that starts now, or false if none
	// does. The queue is not empty. The job must fit (State.Fits), or the simulation
	// ends with an error. Next is called at the end of each instant with an event on the
	// machine, and again after every start. It is not called merely because time has
	// passed, so every job must start at the latest when the machine is empty and no
	// other job will be submitted. Otherwise the simulation ends with ErrNeverStarts.
	Next(m *State) (Place, bool)
}

// Follower is a Planner that is also notified of events between its decisions.
type Follower interface {
	Planner
	// Submitted is called after a job has entered the queue; key is its Task.Key.
	Submitted(m *State, key int32)
	// Finished is called after a job has returned its processors.
	Finished(m *State, key int32)
	// Revised is called after estimates of jobs have changed.
	Revised(m *State)
}

// Ordered is a Policy whose queue is not in order of submission.
type Ordered interface {
	Policy
	// Before reports whether a is ahead of b in the queue. It must be a strict weak
	// order that depends only on the two tasks and changes only when estimates are
	// corrected.
	Before(a, b Task) bool
}

// Policies returns one policy of each kind in this package: the list in which commands
// look up names. A caller may append custom policies.
func Policies() []Policy {
	return []Policy{FCFS{}, EASY{}, Conservative{}, SJF{}, Priority{}}
}

// PolicyNamed returns the policy described by text: a name, such as "easy", followed by
// parameters if any, as in "priority(queues=3,1)". A parameter is a field of the policy, a
// struct, with the tag "opt", which is the parameter's name; the tags "in", a range such as
// "[0,1]", and "help" describe it. If the policy has a method Check() error, PolicyNamed
// calls it to find other faults. Errors are of type *workload.OptionError, for the option
// "policy".
func PolicyNamed(text string, policies []Policy) (Policy, error) {
	return opt.Named("policy", text, policies)
}

// orderOf returns the order of a policy's queue; nil means the order of submission.
func orderOf(p Policy) func(a, b *held) bool {
	o, ok := p.(Ordered)
	if !ok {
		return nil
	}
	return func(a, b *held) bool { return o.Before(a.task(), b.task()) }
}

// inOrder is the planner of policies under which no job overtakes another: a waiting job
// delays the jobs behind it that could run in one of its pools, and they delay others in
// turn. Disjoint partitions do not wait for each other.
type inOrder struct {
	scan
	taken uint64 // bit mask of the pools in which a scanned job that waits could run
}

// Next implements Planner.
func (p *inOrder) Next(s *State) (Place, bool) {
	q := &s.queue
	if p.begin(q) {
		p.taken = 0
	}
	c, ok := q.settle(p.at)
	for ok && p.taken != s.machine.all {
		e := q.at(c)
		if i := s.machine.fitting(e.claim); i >= 0 && e.among&p.taken == 0 {
			e.option = i
			return p.found(c)
		}
		p.taken |= e.among
		c, ok = q.settle(c.next())
	}
	p.at = c
	return Place{}, false
}

// Submitted implements Follower.
func (p *inOrder) Submitted(s *State, _ int32) {
	if s.queue.order != nil {
		p.valid = false // the job may be among those already scanned
	}
}

// scan remembers how far a queue has been scanned. A job that could not start still
// cannot start, as long as no job ends: until then, the free amounts only decrease.
type scan struct {
	valid bool
	at    Place // entries before it have been scanned
	took  bool  // the job at that place was started
}

// begin continues a scan. It returns true if the scan starts again at the head.
func (x *scan) begin(q *queue) bool {
	switch {
	case !x.valid:
		*x = scan{valid: true, at: q.first()}
		return true
	case x.took:
		x.at, x.took = q.after, false
	}
	return false
}

// found stops the scan at the place of a job that starts, and returns the results of Next.
func (x *scan) found(c Place) (Place, bool) {
	x.at, x.took = c, true
	return c, true
}

// Finished implements Follower.
func (x *scan) Finished(*State, int32) { x.valid = false }

// Revised implements Follower.
func (x *scan) Revised(*State) { x.valid = false }
