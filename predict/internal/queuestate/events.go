package queuestate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/workload"
)

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
	for _, groups := range []map[int64]*Group{s.Users, s.Queues} {
		for key, g := range groups {
			if g.Waiting.Jobs == 0 && g.Running.Jobs == 0 && g.Seen <= s.Seen-memory {
				delete(groups, key)
			}
		}
	}
}
