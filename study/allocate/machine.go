package allocate

import (
	"context"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model"
)

// Machine is a space-sharing computer with one first-come-first-served queue,
// and its days.
type Machine struct {
	Processors int `json:"processors"` // at least 1
	// Day is the length of the part of a day in which jobs are submitted, and
	// Night the least time from its end to the beginning of the next day, both
	// in seconds. The next day begins when the night is over and no job is
	// queued, whichever is later.
	Day   float64 `json:"day_s"`
	Night float64 `json:"least_night_s"`
	// Open fixes submissions, as in a log: a job is submitted at its Offset,
	// whatever is queued, and all jobs are of one day.
	Open bool `json:"submissions_fixed"`
}

// halfDay is 12 hours, the length of days and nights in Downey (1997), section
// 4.
const halfDay = 12 * 3600.0

// task is a job as a machine meets it.
type task struct {
	number                         int // of the job
	most                           int // processors at most
	sequential, parallelism, sigma float64
}

// task rounds the average parallelism up, as the most processors that the job is
// given and in its speedup: the rule that meets the paper's figures of AVG.
func (m Machine) task(number int, j *Job) task {
	a := math.Ceil(j.Parallelism)
	return task{number, int(min(a, float64(m.Processors))), j.Sequential, a, j.Sigma}
}

// run is R(n), the run time on n processors in seconds.
func (t *task) run(n int) float64 {
	return t.sequential / model.DowneyS(float64(n), t.parallelism, t.sigma)
}

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

// kind is "spoiled" for a job that finds all the processors that it can use when
// it may first choose, else "rebel" or "docile".
func (p *Placement) kind() string {
	switch {
	case p.rebel():
		return "rebel"
	case p.Size == p.Most:
		return "spoiled"
	}
	return "docile"
}

// turnaround is the time from the submission to the end, in seconds.
func (p *Placement) turnaround() float64 { return p.Start - p.Submit + p.Run }

func (p *Placement) end() float64 { return p.Start + p.Run }

// rebel reports whether the job held out for more processors than were free.
func (p *Placement) rebel() bool { return p.Chosen > p.Offered }

// saved is the turnaround in another schedule less that in p, in seconds.
func (p *Placement) saved(other *Placement) float64 {
	// Waits and runs on their own: times of day would cost digits.
	return (other.Start - other.Submit) - (p.Start - p.Submit) + (other.Run - p.Run)
}

// occupant is a job that runs.
type occupant struct {
	start, end float64
	size       int
}

// view is what there is to know at a decision: the machine, and how many jobs
// are queued, the one that decides with them.
type view struct {
	now     float64
	free    int
	queued  int
	running []occupant // ascending in end; jobs that started earlier first among equals
}

// occupy has a job run.
func (v *view) occupy(o occupant) {
	v.free -= o.size
	i := len(v.running)
	v.running = append(v.running, o)
	for ; i > 0 && v.running[i-1].end > o.end; i-- {
		v.running[i] = v.running[i-1]
	}
	v.running[i] = o
}

// release ends the jobs that end by now.
func (v *view) release() {
	k := 0
	for k < len(v.running) && v.running[k].end <= v.now {
		v.free += v.running[k].size
		k++
	}
	// Jobs move down so that the slice does not creep through memory.
	v.running = v.running[:copy(v.running, v.running[k:])]
}

// until is Q(n), the seconds until n processors are free if no job starts.
func (v *view) until(n int) float64 {
	free := v.free
	for i := range v.running {
		if free += v.running[i].size; free >= n {
			return v.running[i].end - v.now
		}
	}
	return 0
}

// simulation runs the jobs through the machine.
type simulation struct {
	machine Machine
	jobs    []Job
	tasks   []task
	chooser chooser
	lockIn  bool
	// offered, if given, is called for every job that finds fewer processors than
	// it can use, the head of the queue, before it chooses. It may look and change nothing.
	offered func()

	view
	placed []Placement
	queue  []int32 // from first on
	first  int
	next   int     // job to be submitted
	day    int     // that has begun
	dawn   float64 // s, when it did

	holding bool // the head does
	held    choice

	stopAtFirstStart bool // the simulation ends when a job has started
	ended            bool
}

// newSimulation is of AVG, unless its chooser is changed.
func newSimulation(jobs []Job, m Machine) *simulation {
	s := &simulation{machine: m, jobs: jobs, tasks: make([]task, len(jobs)), placed: make([]Placement, len(jobs)), chooser: thrift{}}
	for i := range jobs {
		s.tasks[i] = m.task(i, &jobs[i])
		s.placed[i].Most = s.tasks[i].most
	}
	s.free = m.Processors
	s.queue = make([]int32, 0, len(jobs))
	return s
}

// run simulates to the last start, or until the context is done. At one instant ends
// come before submissions and these before starts.
func (s *simulation) run(ctx context.Context) []Placement {
	for step := 0; ; step++ {
		at := s.arrival()
		if len(s.running) > 0 {
			at = min(at, s.running[0].end)
		}
		if s.holding {
			at = min(at, s.held.until)
		}
		if math.IsInf(at, 1) || step%32 == 0 && ctx.Err() != nil {
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
		if s.ended || s.next == len(s.jobs) && s.queued == 0 {
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
	for s.queued > 0 && s.free > 0 && !s.ended {
		i := s.queue[s.first]
		t, p := &s.tasks[i], &s.placed[i]
		limit := t.most
		if s.holding && s.lockIn {
			limit = s.held.size
		}
		switch {
		case !s.holding:
			p.Offer, p.Offered = s.now, min(s.free, t.most)
			if s.free >= t.most {
				p.Chosen = t.most
				s.start(t.most)
				continue
			}
			if s.offered != nil {
				s.offered()
			}
			s.held = unhurried(s.chooser.choose(t, &s.view, limit), s.now, p.Offer)
			p.Chosen = s.held.size
		case s.free >= s.held.size:
			s.start(min(limit, s.free))
			continue
		case s.held.final && s.now >= s.held.until:
			s.start(s.free)
			continue
		case !s.held.final && (asked || s.now >= s.held.until):
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
	s.occupy(occupant{s.now, p.end(), n})
	s.first++
	s.queued--
	s.holding, s.ended = false, s.stopAtFirstStart
}

// alone schedules only the head of the queue, which finds fewer processors than it can use, with
// c; the jobs that run end, and the others are submitted, as in s. No other job starts before
// the head does, so that it waits for nothing but the ends of the jobs that run now. submitted are
// all jobs at the times of placed, where the head gets its new place: they have it reconsider.
func (s *simulation) alone(ctx context.Context, c chooser, lockIn bool, submitted []Job, placed []Placement) {
	head := *s // what happens to it happens to a copy
	head.machine, head.day, head.dawn = Machine{Processors: s.machine.Processors, Open: true}, 0, 0
	head.jobs, head.placed = submitted, placed
	head.running, head.queue, head.first = slices.Clone(s.running), slices.Clip(s.queue[s.first:]), 0
	head.chooser, head.lockIn, head.offered, head.stopAtFirstStart = c, lockIn, nil, true
	if head.dispatch(false); !head.ended {
		head.run(ctx)
	}
}

// atTimes returns jobs that are submitted at the times of a schedule, whatever is queued.
func atTimes(placed []Placement) []Job {
	jobs := make([]Job, len(placed))
	for i := range placed {
		jobs[i].Offset = placed[i].Submit
	}
	return jobs
}
