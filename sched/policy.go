package sched

import "github.com/loadstone-hpc/loadstone/internal/opt"

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

// PolicyNamed returns one of the policies by its name, such as "easy", with parameters if
// any, such as "priority(queues=3,1)": fields of the policy, a struct, with the tag opt, the
// parameter's name. The tags "in", a range such as "[0,1]", and "help" describe it. A
// method Check() error of the policy finds what else can be wrong. An error is a
// *workload.OptionError of "policy".
func PolicyNamed(text string, policies []Policy) (Policy, error) {
	return opt.Named("policy", text, policies)
}

// orderOf returns the order of a policy's queue; nil is the order of submission.
func orderOf(p Policy) func(a, b *held) bool {
	o, ok := p.(Ordered)
	if !ok {
		return nil
	}
	return func(a, b *held) bool { return o.Before(a.task(), b.task()) }
}

// inOrder is the planner of policies under which no job overtakes another: a job that waits
// holds up those behind it that could run in one of its pools, and they hold up others in
// turn. So disjoint partitions do not wait for each other.
type inOrder struct {
	scan
	taken uint64 // pools in which one that waits could run
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
		p.valid = false // it may be before what was scanned
	}
}

// scan remembers how far a queue was looked through: as long as no job ends, what
// did not start cannot: time and starts only take away what is free.
type scan struct {
	valid bool
	at    Place // entries before it need not be looked at
	took  bool  // a job was taken from there
}

// begin goes on with a scan. It is true where it begins anew.
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

// found ends a look at the place of a job that starts.
func (x *scan) found(c Place) (Place, bool) {
	x.at, x.took = c, true
	return c, true
}

// Finished implements Follower.
func (x *scan) Finished(*State, int32) { x.valid = false }

// Revised implements Follower.
func (x *scan) Revised(*State) { x.valid = false }
