// Package queuestate keeps the state of a queue and its machine from the events of a
// log, and describes it, as a job meets it at its submission, by a row of numbers.
//
// A row rests on requests, and on the starts and ends that have happened, so that
// nothing in it is known too early. What it does not know is NaN; times, work and
// numbers of jobs are logarithms, because their tails are heavy. columns.go lists
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

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/workload"
)

// State is the queue and the machine at one moment. Its fields are exported to be
// written and read again; use New, and the methods.
type State struct {
	Now     float64
	Machine float64 // the most processors that were busy at once
	Seen    int64   // submissions
	Started float64 // when the last job did
	All     Group
	Users   ByKey[*Group]
	Queues  ByKey[*Group]
	Sizes   ByKey[*Smoothed]   // waits, by the power of two
	Times   ByKey[*Smoothed]   // waits, by the power of two of the requested time
	Slow    Smoothed           // waits of all
	Jobs    ByKey[*Job]        // waiting and running, by row
	Ends    heap.Heap[float64] // when running jobs reach their time, by row, with their processors
	Left    float64            // work left of the running jobs within their time, were it time 0
	Busy    float64            // their processors
	Late    float64            // processors of the running jobs beyond it

	columns []*workload.Column // more of the row, from the request
}

// Job is one under way.
type Job struct {
	User, Queue, Size, Time  int64 // where it is counted
	Submit, Start            float64
	Processors, Length, Work float64
	Running, Late            bool
}

const (
	quick = 0.1  // the weight of the newest number
	slow  = 0.01 // the same for State.Slow
)

// New returns the state before a log begins. Rows also have the columns, which are
// known at submission.
func New(columns []*workload.Column) *State {
	return &State{
		Now: math.Inf(-1), Started: math.NaN(), All: newGroup(), columns: columns,
		Users: ByKey[*Group]{}, Queues: ByKey[*Group]{},
		Sizes: ByKey[*Smoothed]{}, Times: ByKey[*Smoothed]{}, Jobs: ByKey[*Job]{},
	}
}

func newGroup() Group {
	return Group{Last: Previous{Submit: math.NaN(), Wait: math.NaN()}, Burst: Burst{Begin: math.NaN()}}
}

// at returns the entry of a key, which it makes.
func at[T any](m ByKey[*T], key int64, fresh func() T) *T {
	of, ok := m[key]
	if !ok {
		made := fresh()
		of = &made
		m[key] = of
	}
	return of
}

func unsmoothed() Smoothed { return Smoothed{} }

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
		g.Line.push(r.Row)
		if g.Burst.Jobs++; !(j.Submit-g.Burst.Begin <= hour) {
			g.Burst = Burst{j.Submit, 1}
		}
		g.Last = Previous{r.Row, j.Submit, math.NaN(), j.Processors, j.Length}
		g.Seen = s.Seen
	}
}

// Burst returns which job of a burst of its user's the one submitted last is, from 1.
func (s *State) Burst(user int64) int {
	if u, ok := s.Users[user]; ok {
		return u.Burst.Jobs
	}
	return 1
}

// job describes a request.
func (s *State) job(r *workload.Request) Job {
	j := Job{User: r.User, Queue: r.Queue, Submit: r.Submit, Start: math.NaN(), Processors: Processors(r), Length: s.length(r)}
	j.Size, j.Time = int64(math.Ceil(math.Log2(j.Processors))), int64(math.Round(2*math.Log2(j.Length+1)))
	j.Work = j.Processors * j.Length
	return j
}

// Processors are those asked for, or the size where these are unknown, or 1.
func Processors(r *workload.Request) float64 {
	switch {
	case r.Processors > 0:
		return float64(r.Processors)
	case r.Size > 0:
		return float64(r.Size)
	}
	return 1
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

// groups are those that a job is counted in.
func (s *State) groups(j *Job) [3]*Group {
	return [3]*Group{&s.All, at(s.Users, j.User, newGroup), at(s.Queues, j.Queue, newGroup)}
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
		g.Wait.add(wait, quick)
		if g.Last.Row == row {
			g.Last.Wait = wait
		}
	}
	s.Slow.add(wait, slow)
	at(s.Sizes, j.Size, unsmoothed).add(wait, quick)
	at(s.Times, j.Time, unsmoothed).add(wait, quick)
	s.Started = now
	s.Machine = max(s.Machine, s.All.Running.Processors)
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
		g.Line.tidy(s, row)
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
	s.within(j, -1)
	for _, g := range s.groups(j) {
		g.Running.add(j, -1)
		g.Run.add(math.Log1p(max(0, now-j.Start)), quick)
	}
}

// within takes a running job from those within their time, or from those beyond it.
func (s *State) within(j *Job, sign float64) {
	if j.Late {
		s.Late = max(0, s.Late+sign*j.Processors)
		return
	}
	s.Left += sign * j.Processors * (j.Start + j.Length)
	if s.Busy += sign * j.Processors; s.Busy <= 0 {
		s.Left, s.Busy = 0, 0
	}
}

// advance moves the clock, and running jobs that reach their time.
func (s *State) advance(now float64) {
	s.Now = max(s.Now, now)
	for len(s.Ends) > 0 && s.Ends[0].At <= s.Now {
		e := s.Ends.Pop()
		if j, ok := s.Jobs[e.Seq]; ok && j.Running && !j.Late && j.Start+j.Length == e.At {
			s.within(j, -1)
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
	for _, groups := range []ByKey[*Group]{s.Users, s.Queues} {
		for key, g := range groups {
			if g.Waiting.Jobs == 0 && g.Running.Jobs == 0 && g.Seen <= s.Seen-memory {
				delete(groups, key)
			}
		}
	}
}
