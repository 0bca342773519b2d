package allocate

import (
	"math"
)

// Placement is the place of a job in a schedule.
type Placement struct {
	Submit float64 // s, from the beginning of the first day
	Offer  float64 // s, the first time at which the job was at the head of the queue and some processors were free
	Start  float64 // s
	Size   int     // processors
	Run    float64 // s, on that many
	// Offered is the number of processors that were free at Offer, at most as
	// many as the job can use, and Chosen the number that it chose then. A
	// rebel chose more than Offered.
	Offered, Chosen int
	Most            int // processors that the job can use
}

// Kind returns "spoiled" for a job that finds all the processors that it can use when
// it may first choose, else "rebel" or "docile".
func (p *Placement) Kind() string {
	switch {
	case p.Rebel():
		return "rebel"
	case p.Size == p.Most:
		return "spoiled"
	}
	return "docile"
}

// Turnaround returns the time from the submission to the end, in seconds.
func (p *Placement) Turnaround() float64 { return p.Start - p.Submit + p.Run }

// End returns the time at which the job ends, in seconds.
func (p *Placement) End() float64 { return p.Start + p.Run }

// Rebel reports whether the job held out for more processors than were free.
func (p *Placement) Rebel() bool { return p.Chosen > p.Offered }

// Saved returns the turnaround in another schedule less that in p, in seconds.
func (p *Placement) Saved(other *Placement) float64 {
	// Waits and runs on their own: times of day would cost digits.
	return (other.Start - other.Submit) - (p.Start - p.Submit) + (other.Run - p.Run)
}

// simulation runs the jobs through the machine.
type simulation struct {
	machine Machine
	jobs    []Job
	tasks   []task
	chooser chooser
	lockIn  bool
	// offered, if given, is told of every job that finds fewer processors than
	// it can use, before it chooses. It may look and change nothing.
	offered func(job int, v *view)
	stop    stopper

	view
	placed []Placement
	queue  []int32 // from first on
	first  int
	next   int     // job to be submitted
	day    int     // that has begun
	dawn   float64 // s, when it did

	holding bool // the head does
	held    choice
}

func newSimulation(jobs []Job, m Machine) *simulation {
	s := &simulation{machine: m, jobs: jobs, tasks: make([]task, len(jobs)), placed: make([]Placement, len(jobs)), chooser: thrift{}}
	for i := range jobs {
		s.tasks[i] = m.task(&jobs[i])
		s.tasks[i].number = i
		s.placed[i].Most = s.tasks[i].most
	}
	s.free = m.Processors
	s.queue = make([]int32, 0, len(jobs))
	return s
}

// run simulates to the last start, or until it is stopped. At one instant ends
// come before submissions and these before starts.
func (s *simulation) run() []Placement {
	for {
		at := s.arrival()
		if len(s.running) > 0 {
			at = min(at, s.running[0].end)
		}
		if s.holding {
			at = min(at, s.held.until)
		}
		if math.IsInf(at, 1) || s.stop.stopped() {
			return s.placed
		}
		s.now = max(s.now, at)
		s.release()
		asked := false
		for s.arrival() <= s.now {
			s.placed[s.next].Submit = s.now
			s.queue = append(s.queue, int32(s.next))
			s.next++
			asked = true
		}
		s.queued = len(s.queue) - s.first
		s.dispatch(asked)
		if s.next == len(s.jobs) && s.queued == 0 {
			return s.placed
		}
	}
}

// arrival is when the next job is submitted, as far as is known.
func (s *simulation) arrival() float64 {
	if s.next == len(s.jobs) {
		return math.Inf(1)
	}
	j := &s.jobs[s.next]
	if s.machine.Open {
		return float64(float64(j.Day)*s.machine.Day) + j.Offset
	}
	for s.day < j.Day {
		if s.first < len(s.queue) {
			return math.Inf(1)
		}
		s.dawn = max(s.dawn+s.machine.Day+s.machine.Night, s.now)
		s.day++
	}
	return s.dawn + j.Offset
}

// dispatch starts jobs in the order of their submission, as long as the head
// takes what is free. A head that holds out reconsiders if it is asked to.
func (s *simulation) dispatch(asked bool) {
	for s.queued > 0 && s.free > 0 {
		i := s.queue[s.first]
		t, p := &s.tasks[i], &s.placed[i]
		limit := t.most
		switch {
		case !s.holding:
			p.Offer, p.Offered = s.now, min(s.free, t.most)
			if s.free >= t.most {
				p.Chosen = t.most
				s.start(t.most)
				continue
			}
			if s.offered != nil {
				s.offered(int(i), &s.view)
			}
			s.held = unhurried(s.chooser.choose(t, &s.view, limit), s.now, p.Offer)
			p.Chosen = s.held.size
		case s.free >= s.held.size:
			if s.lockIn {
				limit = s.held.size
			}
			s.start(min(limit, s.free))
			continue
		case s.held.final && s.now >= s.held.until:
			s.start(s.free)
			continue
		case !s.held.final && (asked || s.now >= s.held.until):
			if s.lockIn {
				limit = s.held.size
			}
			s.held = unhurried(s.chooser.choose(t, &s.view, limit), s.now, p.Offer)
		default:
			return
		}
		if s.held.size > s.free {
			s.holding = true
			return
		}
		s.start(s.held.size)
	}
}

// start runs the head on n processors.
func (s *simulation) start(n int) {
	i := s.queue[s.first]
	p := &s.placed[i]
	p.Start, p.Size, p.Run = s.now, n, s.tasks[i].run(n)
	s.occupy(occupant{s.now, p.End(), n, i})
	s.first++
	s.queued--
	s.holding = false
}
