package sched

import "math"

// Opening is the room for one more job, behind all that wait, at an instant of a
// simulation. A job that is submitted last starts if its size is at most Free and either
// it is expected to end by By or its size is at most Extra: the rule of backfilling.
//
// Under a policy that serves the queue in order of submission, a job does not delay those
// before it. So one simulation without the job tells when jobs of all sizes would start:
// at the first Opening in which they fit. State.Opening returns it, and package predict
// asks for it.
type Opening struct {
	Free  int64   // processors that no job holds
	By    float64 // s, start of the reservation of the first job waiting; +Inf if none waits
	Extra int64   // processors, at most Free, that the reservation leaves over
}

// Starts reports whether a job of size processors that is expected to end at the time
// end, in seconds of the simulation, would start.
func (o Opening) Starts(size int64, end float64) bool {
	return size <= o.Free && (end <= o.By || size <= o.Extra)
}

// Opener is a Planner that knows the Opening. Only planners of policies that serve the
// queue in order of submission can implement it.
type Opener interface {
	Planner
	// Opening returns the room for a job behind all that wait. It is called when Next
	// has returned false, or the queue is empty.
	Opening(m *State) Opening
}

// Opening returns the room for a job behind all that wait, at the end of an instant: call
// it in Settler.Settled. It is false if the policy's planner is no Opener, or the machine
// is a Cluster.
func (s *State) Opening() (Opening, bool) {
	free := s.machine.free
	o, ok := s.planner.(Opener)
	switch {
	case !ok || s.machine.pools != nil || s.queue.order != nil:
		return Opening{}, false
	case s.queue.n == 0:
		return Opening{free, math.Inf(1), free}, true
	case free == 0:
		return Opening{By: s.now}, true
	}
	return o.Opening(s), true
}

// Opening implements Opener: a job that waits holds up all behind it.
func (headOnly) Opening(*State) Opening { return Opening{By: math.Inf(-1)} }

// Opening implements Opener.
func (p *easy) Opening(s *State) Opening {
	return Opening{s.machine.free, p.shadow, min(p.extra, s.machine.free)}
}
