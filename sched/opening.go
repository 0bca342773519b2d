package sched

import "math"

// Opening is what a job at the end of the queue would find at the end of an instant: it
// would start then if its size is at most Free, and either it is expected to end by By or its
// size is at most Extra. The jobs before it take no notice of it until it starts, so that a
// simulation without the job says when it would start: at the first opening that it fits.
type Opening struct {
	Free  int64   // processors that no job holds
	By    float64 // s, the reservation of the head of the queue; +Inf where no job waits
	Extra int64   // processors, at most Free, that the reservation leaves over
}

// Starts reports whether a job of a size, which is expected to end at a time, in seconds,
// would start.
func (o Opening) Starts(size int64, end float64) bool {
	return size <= o.Free && (end <= o.By || size <= o.Extra)
}

// Opener is a Planner that can tell the opening. Its policy serves the queue in order of
// submission.
type Opener interface {
	Planner
	// Opening is asked for when Next has returned false or the queue is empty.
	Opening(m *State) Opening
}

// Opening returns what a job at the end of the queue would find, at the end of an instant
// (see Settler); false where the policy's planner is no Opener, or the machine is a Cluster.
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
