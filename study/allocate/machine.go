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
	// Open fixes submissions, as in a log: a job is submitted at its Offset
	// regardless of the queue, and all jobs belong to one day.
	Open bool `json:"submissions_fixed"`
}

// halfDay is 12 hours, the length of days and nights in Downey (1997), section
// 4.
const halfDay = 12 * 3600.0

// task is a job as submitted to a machine.
type task struct {
	number                         int // index of the job in the workload
	most                           int // largest number of processors that it can use
	sequential, parallelism, sigma float64
}

// task returns the task of a job. It rounds the average parallelism up, both as the largest
// number of processors and in the speedup: this rule reproduces the paper's figures for AVG.
func (m Machine) task(number int, j *Job) task {
	a := math.Ceil(j.Parallelism)
	return task{number, int(min(a, float64(m.Processors))), j.Sequential, a, j.Sigma}
}

// run returns R(n), the run time on n processors in seconds.
func (t *task) run(n int) float64 {
	return t.sequential / model.DowneyS(float64(n), t.parallelism, t.sigma)
}

// Placement is the place of a job in a schedule.
type Placement struct {
	Submit float64 // s, from the beginning of the first day
	Offer  float64 // s, first time at which the job was at the head of the queue and some processors were free
	Start  float64 // s
	Size   int     // processors
	Run    float64 // run time on Size processors, s
	// Offered is the number of processors that were free at Offer, at most Most, and
	// Chosen the number that the job chose then. A rebel chose more than Offered.
	Offered, Chosen int
	Most            int // largest number of processors that the job can use
}

// kind returns "rebel" for a job that holds out for more processors, else "spoiled" if it gets all
// the processors that it can use, else "docile".
func (p *Placement) kind() string {
	switch {
	case p.rebel():
		return "rebel"
	case p.Size == p.Most:
		return "spoiled"
	}
	return "docile"
}

// turnaround returns the time from the submission to the end, in seconds.
func (p *Placement) turnaround() float64 { return p.Start - p.Submit + p.Run }

func (p *Placement) end() float64 { return p.Start + p.Run }

// rebel reports whether the job held out for more processors than were free.
func (p *Placement) rebel() bool { return p.Chosen > p.Offered }

// saved returns the turnaround of the job in another schedule minus that in p, in seconds.
func (p *Placement) saved(other *Placement) float64 {
	// The difference of two ends would lose precision, since they are large.
	return (other.Start - other.Submit) - (p.Start - p.Submit) + (other.Run - p.Run)
}

// occupant is a running job.
type occupant struct {
	start, end float64
	size       int
}

// view is the state of the machine at a decision.
type view struct {
	now     float64
	free    int
	queued  int        // number of queued jobs, including the one that decides
	running []occupant // by ascending end; among equals, jobs that started earlier first
}

// occupy adds a running job.
func (v *view) occupy(o occupant) {
	v.free -= o.size
	i := len(v.running)
	v.running = append(v.running, o)
	for ; i > 0 && v.running[i-1].end > o.end; i-- {
		v.running[i] = v.running[i-1]
	}
	v.running[i] = o
}

// release removes the running jobs that have ended by now.
func (v *view) release() {
	k := 0
	for k < len(v.running) && v.running[k].end <= v.now {
		v.free += v.running[k].size
		k++
	}
	// Move the jobs down instead of reslicing, so that append reuses the memory.
	v.running = v.running[:copy(v.running, v.running[k:])]
}

// until returns Q(n), the seconds until n processors are free if no job starts.
func (v *view) until(n int) float64 {
	free := v.free
	for i := range v.running {
		if free += v.running[i].size; free >= n {
			return v.running[i].end - v.now
		}
	}
	return 0
}

// simulation simulates the jobs on the machine.
type simulation struct {
	machine Machine
	jobs    []Job
	tasks   []task
	chooser chooser
	lockIn  bool
	// offered, if not nil, is called for each job at the head of the queue that finds fewer
	// free processors than it can use, before it chooses. It must not change the simulation.
	offered func()

	view
	placed []Placement
	queue  []int32 // queued jobs from index first on
	first  int
	next   int     // next job to be submitted
	day    int     // current day
	dawn   float64 // beginning of the current day, s

	holding bool   // the head of the queue holds out
	held    choice // its choice

	stopAtFirstStart bool // the simulation ends when a job has started
	ended            bool
}

// newSimulation returns a simulation of AVG; the caller may set another chooser.
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

// run simulates until the last start, or until the context is done. At one instant, ends
// come before submissions, and these before starts.
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

// arrival returns the time at which the next job is submitted; +Inf if there is none, or if its
// day cannot begin yet because jobs are queued.
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

// dispatch starts jobs in order of submission, as long as the head of the queue takes the free
// processors. A head that holds out reconsiders its choice if asked is set or its time has come.
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

// start starts the head of the queue on n processors.
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
// the chooser c, and stores its placement in placed. Running jobs end and other jobs are submitted
// as in s. No other job starts before the head does, so it waits only for the ends of the jobs that
// run now. submitted contains all jobs with the submissions of placed; at each submission the head
// reconsiders its choice.
func (s *simulation) alone(ctx context.Context, c chooser, lockIn bool, submitted []Job, placed []Placement) {
	head := *s // a copy, so that s does not change
	head.machine, head.day, head.dawn = Machine{Processors: s.machine.Processors, Open: true}, 0, 0
	head.jobs, head.placed = submitted, placed
	head.running, head.queue, head.first = slices.Clone(s.running), slices.Clip(s.queue[s.first:]), 0
	head.chooser, head.lockIn, head.offered, head.stopAtFirstStart = c, lockIn, nil, true
	if head.dispatch(false); !head.ended {
		head.run(ctx)
	}
}

// atTimes returns jobs with the submissions of a schedule, for a machine that is Open.
func atTimes(placed []Placement) []Job {
	jobs := make([]Job, len(placed))
	for i := range placed {
		jobs[i].Offset = placed[i].Submit
	}
	return jobs
}
