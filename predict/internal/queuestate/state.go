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
)

// State is the queue and the machine at one moment. Use New, and the methods.
type State struct {
	Now     float64
	Machine float64 // the most processors that were busy at once
	Seen    int64   // submissions
	Started float64 // when the last job did
	All     Group
	Users   map[int64]*Group
	Queues  map[int64]*Group
	Sizes   map[int64]*Smoothed // waits, by the power of two
	Times   map[int64]*Smoothed // waits, by the power of two of the requested time
	Slow    Smoothed            // waits of all
	Jobs    map[int64]*Job      // waiting and running, by row
	Ends    heap.Heap[float64]  // when running jobs reach their time, by row, with their processors
	Left    float64             // work left of the running jobs within their time, were it time 0
	Busy    float64             // their processors
	Late    float64             // processors of the running jobs beyond it
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
		Sizes: map[int64]*Smoothed{}, Times: map[int64]*Smoothed{}, Jobs: map[int64]*Job{},
	}
}

func newGroup() Group {
	return Group{Last: Previous{Submit: math.NaN(), Wait: math.NaN()}, Burst: Burst{Begin: math.NaN()}}
}

// at returns the entry of a key, which it makes.
func at[T any](m map[int64]*T, key int64, fresh func() T) *T {
	of, ok := m[key]
	if !ok {
		made := fresh()
		of = &made
		m[key] = of
	}
	return of
}

func unsmoothed() Smoothed { return Smoothed{} }

// Burst returns which job of a burst of its user's the one submitted last is, from 1.
func (s *State) Burst(user int64) int {
	if u, ok := s.Users[user]; ok {
		return u.Burst.Jobs
	}
	return 1
}

// groups are those that a job is counted in.
func (s *State) groups(j *Job) [3]*Group {
	return [3]*Group{&s.All, at(s.Users, j.User, newGroup), at(s.Queues, j.Queue, newGroup)}
}
