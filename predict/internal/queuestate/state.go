// Package queuestate maintains the state of a queue and its machine from the events of a
// log, and describes it at the submission of a job by a row of numbers.
//
// A row depends only on requests and on past starts and ends, so it contains nothing
// that is not known at that time. Unknown values are NaN. Times, work and
// numbers of jobs are logarithms, because their tails are heavy. row.go lists
// the numbers.
//
// Work is the number of processors times the requested time or, if that is unknown, the
// smoothed run time of the user's past jobs, or of all past jobs if the user has none. A
// running job older than its time has no work left. The size of the machine is taken to be
// the largest number of processors that were ever busy.
//
// The memory used is bounded by the number of waiting and running jobs and of the users,
// queues and kinds of job seen recently.
package queuestate

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/workload"
)

// State describes the queue and the machine at one moment. Create it with New and change
// it only through its methods. A job's time is its Length; a running job that is older is
// late.
type State struct {
	Now     float64
	Seen    int64   // number of submissions
	Started float64 // time of the last start
	All     Group
	Users   map[int64]*Group
	Queues  map[int64]*Group
	Sizes   map[int64]Smoothed // ln(1+wait), by Job.Size
	Times   map[int64]Smoothed // ln(1+wait), by Job.Time
	Slow    Smoothed           // ln(1+wait) of all jobs
	Jobs    map[int64]*Job     // waiting and running jobs, by row
	Ends    heap.Heap[float64] // processors of running jobs, by the time they become late and row
	Left    float64            // remaining work at time 0 of the running jobs that are not late
	Busy    float64            // processors of the running jobs that are not late
	Late    float64            // processors of the running jobs that are late
}

const (
	quick = 0.1  // the weight of the newest number in a Smoothed
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

// met returns the group of a key, and creates it if necessary.
func met(groups map[int64]*Group, key int64) *Group {
	g, ok := groups[key]
	if !ok {
		made := newGroup()
		g = &made
		groups[key] = g
	}
	return g
}

// Burst returns the position, from 1, of the user's latest job in its burst.
func (s *State) Burst(user int64) int {
	if u, ok := s.Users[user]; ok {
		return u.Burst.Jobs
	}
	return 1
}

// groups returns the groups that a job belongs to.
func (s *State) groups(j *Job) [3]*Group {
	return [3]*Group{&s.All, met(s.Users, j.User), met(s.Queues, j.Queue)}
}

// Group describes a set of jobs: all, a user's or a queue's.
type Group struct {
	Waiting, Running Load
	Submits          float64  // sum of the submission times of the waiting jobs
	Line             []int64  // rows of waiting jobs by submission; may contain others, but not first
	Gone             int      // number of jobs in Line that no longer wait
	Wait, Run        Smoothed // ln(1+s)
	Last             Previous
	Burst            Burst
	Most             float64 // largest number of processors that were busy at once
	Seen             int64   // State.Seen when a job of the group was last submitted
}

// Load is a number of jobs, with the sums of their processors and their work.
type Load struct{ Jobs, Processors, Work float64 }

func (l *Load) add(j *Job, sign float64) {
	if l.Jobs += sign; l.Jobs <= 0 {
		*l = Load{} // drops rounding errors of the sums
		return
	}
	l.Processors += sign * j.Processors
	l.Work += sign * j.Work
}

// Burst describes the jobs submitted within an hour of the first of them.
type Burst struct {
	Begin float64
	Jobs  int
}

// Previous describes the job of a group that was submitted last.
type Previous struct {
	Row          int64
	Submit, Wait float64 // Wait is ln(1+s), NaN until the job starts
	Processors   float64
	Length       float64
}

// Smoothed is an exponentially weighted mean of N numbers.
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

// tidy updates Line and Gone when the job in row gone stops waiting.
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

// Job is a waiting or running job.
type Job struct {
	// Size and Time are classes: log2(Processors) rounded up, and 2*log2(Length+1) rounded.
	User, Queue, Size, Time  int64
	Submit, Start            float64
	Processors, Length, Work float64
	Running, Late            bool
}

// job returns the waiting Job of a request.
func (s *State) job(r *workload.Request) Job {
	j := Job{User: r.User, Queue: r.Queue, Submit: r.Submit, Start: math.NaN(), Processors: float64(max(1, r.Units())), Length: s.length(r)}
	j.Size, j.Time = int64(math.Ceil(math.Log2(j.Processors))), int64(math.Round(2*math.Log2(j.Length+1)))
	j.Work = j.Processors * j.Length
	return j
}

// longest is the upper limit of the requested time, in seconds.
const longest = 1e9

// length returns the assumed run time of a request, in seconds.
func (s *State) length(r *workload.Request) float64 {
	if r.Time > 0 {
		return min(r.Time, longest)
	}
	if u, ok := s.Users[r.User]; ok && u.Run.N > 0 {
		return math.Expm1(u.Run.Mean)
	}
	return math.Expm1(s.All.Run.Mean)
}

// Submit adds a job that is submitted now. It does nothing if the job is already waiting or
// running.
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

// Start records that a waiting job starts. It does nothing if the job is not waiting.
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

// unqueue removes a job from the waiting jobs of its groups.
func (s *State) unqueue(row int64, j *Job) {
	for _, g := range s.groups(j) {
		g.Waiting.add(j, -1)
		if g.Submits -= j.Submit; g.Waiting.Jobs == 0 {
			g.Submits = 0
		}
		g.tidy(s, row)
	}
}

// End removes a running job that ends or a waiting job that is withdrawn. It does nothing
// if the job is neither.
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

// stop removes a running job from Left and Busy or, if it is late, from Late.
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

// advance moves the clock, and marks running jobs that reach their time as late.
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

// hour is the duration of a burst, in seconds.
const hour = 60 * 60

// memory is the number of submissions after which a user or queue without waiting or
// running jobs is forgotten.
const memory = 100_000

// forget drops the users and queues without recent jobs.
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
