// Package queuestate keeps the state of a queue and its machine from the events of a
// log, and describes it, as a job meets it at its submission, by a row of numbers.
//
// A row rests on requests, and on the starts and ends that have happened, so that
// nothing in it is known too early. What it does not know is NaN; times, work and
// numbers of jobs are logarithms, because their tails are heavy. row.go lists
// the numbers.
//
// Work is processors times the requested time; where a job does not say it, times the
// smoothed run time of its user's, else of all, past jobs. A running job older than
// its time has no work left. The machine is as large as the most that was ever busy.
//
// What is kept is bounded by the jobs under way and the users, queues and kinds of job
// met lately.
package queuestate

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/workload"
)

// State is the queue and the machine at one moment. Use New, and the methods.
type State struct {
	Now     float64
	Seen    int64   // submissions
	Started float64 // when the last job did
	All     Group
	Users   map[int64]*Group
	Queues  map[int64]*Group
	Sizes   map[int64]Smoothed // waits, by the power of two
	Times   map[int64]Smoothed // waits, by the power of two of the requested time
	Slow    Smoothed           // waits of all
	Jobs    map[int64]*Job     // waiting and running, by row
	Ends    heap.Heap[float64] // when running jobs reach their time, by row, with their processors
	Left    float64            // work left of the running jobs within their time, were it time 0
	Busy    float64            // their processors
	Late    float64            // processors of the running jobs beyond it
}

const (
	quick = 0.1  // the weight of the newest number
	slow  = 0.01 // the same for State.Slow
)

// New returns the state before a log begins.
func New() *State {
	return &State{
		Now: math.Inf(-1), Started: math.NaN(), All: newGroup(),
		Users: map[int64]*Group{}, Queues: map[int64]*Group{},
		Sizes: map[int64]Smoothed{}, Times: map[int64]Smoothed{}, Jobs: map[int64]*Job{},
	}
}

func newGroup() Group {
	return Group{Last: Previous{Submit: math.NaN(), Wait: math.NaN()}, Burst: Burst{Begin: math.NaN()}}
}

// met returns the group of a key, which it makes.
func met(groups map[int64]*Group, key int64) *Group {
	g, ok := groups[key]
	if !ok {
		made := newGroup()
		g = &made
		groups[key] = g
	}
	return g
}

// Burst returns which job of a burst of its user's the one submitted last is, from 1.
func (s *State) Burst(user int64) int {
	if u, ok := s.Users[user]; ok {
		return u.Burst.Jobs
	}
	return 1
}

// groups are those that a job is counted in.
func (s *State) groups(j *Job) [3]*Group {
	return [3]*Group{&s.All, met(s.Users, j.User), met(s.Queues, j.Queue)}
}

// Group is some jobs: all, a user's or a queue's.
type Group struct {
	Waiting, Running Load
	Submits          float64  // the sum of the submission times of the waiting
	Line             []int64  // the waiting, by submission, and those gone that are neither the first nor half of it
	Gone             int      // of Line, those that wait no longer
	Wait, Run        Smoothed // ln(1+s)
	Last             Previous
	Burst            Burst
	Most             float64 // the most processors that ran at once
	Seen             int64   // State.Seen when a job of the group was last met
}

// Load is jobs, their processors and their work.
type Load struct{ Jobs, Processors, Work float64 }

func (l *Load) add(j *Job, sign float64) {
	if l.Jobs += sign; l.Jobs <= 0 {
		*l = Load{} // and no rounded rest
		return
	}
	l.Processors += sign * j.Processors
	l.Work += sign * j.Work
}

// Burst is the jobs submitted within an hour of the first of them.
type Burst struct {
	Begin float64
	Jobs  int
}

// Previous is a group's job that was submitted last.
type Previous struct {
	Row          int64
	Submit, Wait float64 // Wait is NaN until it starts
	Processors   float64
	Length       float64
}

// Smoothed is a mean of numbers that weighs later ones more.
type Smoothed struct {
	Mean float64
	N    int
}

func (s Smoothed) with(x, weight float64) Smoothed {
	n := s.N + 1
	return Smoothed{s.Mean + (x-s.Mean)*max(weight, 1/float64(n)), n}
}

func (s Smoothed) value() float64 {
	if s.N == 0 {
		return math.NaN()
	}
	return s.Mean
}

// tidy is called when a job of the group stops waiting.
func (g *Group) tidy(s *State, gone int64) {
	left := func(row int64) bool {
		j, ok := s.Jobs[row]
		return !ok || j.Running || row == gone
	}
	g.Gone++
	for len(g.Line) > 0 && left(g.Line[0]) {
		g.Line = g.Line[1:]
		g.Gone--
	}
	if g.Gone*2 > len(g.Line)+64 {
		g.Line, g.Gone = slices.DeleteFunc(g.Line, left), 0
	}
}

// Job is one under way.
type Job struct {
	User, Queue, Size, Time  int64 // where it is counted
	Submit, Start            float64
	Processors, Length, Work float64
	Running, Late            bool
}

// job describes a request.
func (s *State) job(r *workload.Request) Job {
	j := Job{User: r.User, Queue: r.Queue, Submit: r.Submit, Start: math.NaN(), Processors: float64(max(1, r.Units())), Length: s.length(r)}
	j.Size, j.Time = int64(math.Ceil(math.Log2(j.Processors))), int64(math.Round(2*math.Log2(j.Length+1)))
	j.Work = j.Processors * j.Length
	return j
}

// longest is the longest time that a job is taken to run for, s.
const longest = 1e9

// length is how long a job is taken to run for.
func (s *State) length(r *workload.Request) float64 {
	if r.Time > 0 {
		return min(r.Time, longest)
	}
	if u, ok := s.Users[r.User]; ok && u.Run.N > 0 {
		return math.Expm1(u.Run.Mean)
	}
	return math.Expm1(s.All.Run.Mean)
}

// Submit enters a job that is submitted now. One that is under way already is ignored.
func (s *State) Submit(r *workload.Request) {
	if _, ok := s.Jobs[r.Row]; ok {
		return
	}
	s.advance(r.Submit)
	s.forget()
	j := s.job(r)
	s.Jobs[r.Row] = &j
	s.Seen++
	for _, g := range s.groups(&j) {
		g.Waiting.add(&j, 1)
		g.Submits += j.Submit
		g.Line = append(g.Line, r.Row)
		if g.Burst.Jobs++; !(j.Submit-g.Burst.Begin <= hour) {
			g.Burst = Burst{j.Submit, 1}
		}
		g.Last = Previous{r.Row, j.Submit, math.NaN(), j.Processors, j.Length}
		g.Seen = s.Seen
	}
}

// Start moves a job to the running ones. One that is not waiting is ignored.
func (s *State) Start(row int64, now float64) {
	j, ok := s.Jobs[row]
	if !ok || j.Running {
		return
	}
	s.advance(now)
	s.unqueue(row, j)
	j.Running, j.Start = true, now
	wait := math.Log1p(max(0, now-j.Submit))
	for _, g := range s.groups(j) {
		g.Running.add(j, 1)
		g.Most = max(g.Most, g.Running.Processors)
		g.Wait = g.Wait.with(wait, quick)
		if g.Last.Row == row {
			g.Last.Wait = wait
		}
	}
	s.Slow = s.Slow.with(wait, slow)
	s.Sizes[j.Size] = s.Sizes[j.Size].with(wait, quick)
	s.Times[j.Time] = s.Times[j.Time].with(wait, quick)
	s.Started = now
	s.Left += j.Processors * (now + j.Length)
	s.Busy += j.Processors
	s.Ends.Push(heap.Item[float64]{At: now + j.Length, Seq: row, Value: j.Processors})
}

// unqueue takes a job from the waiting ones.
func (s *State) unqueue(row int64, j *Job) {
	for _, g := range s.groups(j) {
		g.Waiting.add(j, -1)
		if g.Submits -= j.Submit; g.Waiting.Jobs == 0 {
			g.Submits = 0
		}
		g.tidy(s, row)
	}
}

// End takes away a job: a running one has ended, a waiting one was withdrawn. One
// that is not under way is ignored.
func (s *State) End(row int64, now float64) {
	j, ok := s.Jobs[row]
	if !ok {
		return
	}
	s.advance(now)
	delete(s.Jobs, row)
	if !j.Running {
		s.unqueue(row, j)
		return
	}
	s.stop(j)
	for _, g := range s.groups(j) {
		g.Running.add(j, -1)
		g.Run = g.Run.with(math.Log1p(max(0, now-j.Start)), quick)
	}
}

// stop takes a running job from those within their time, or from those beyond it.
func (s *State) stop(j *Job) {
	if j.Late {
		s.Late = max(0, s.Late-j.Processors)
		return
	}
	s.Left -= j.Processors * (j.Start + j.Length)
	if s.Busy -= j.Processors; s.Busy <= 0 {
		s.Left, s.Busy = 0, 0
	}
}

// advance moves the clock, and running jobs that reach their time.
func (s *State) advance(now float64) {
	s.Now = max(s.Now, now)
	for len(s.Ends) > 0 && s.Ends[0].At <= s.Now {
		e := s.Ends.Pop()
		if j, ok := s.Jobs[e.Seq]; ok && j.Running && !j.Late && j.Start+j.Length == e.At {
			s.stop(j)
			j.Late = true
			s.Late += j.Processors
		}
	}
}

// hour is how long a burst is, s.
const hour = 60 * 60

// memory is how many submissions a user or queue without jobs under way is
// remembered for.
const memory = 100_000

// forget drops what was met long ago.
func (s *State) forget() {
	if s.Seen%memory != 0 {
		return
	}
	for _, groups := range []map[int64]*Group{s.Users, s.Queues} {
		for key, g := range groups {
			if g.Waiting.Jobs == 0 && g.Running.Jobs == 0 && g.Seen <= s.Seen-memory {
				delete(groups, key)
			}
		}
	}
}
