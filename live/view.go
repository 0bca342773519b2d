package live

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// view is the state of the service after a batch. It is immutable.
type view struct {
	at       float64 // s
	rows     int64   // row of the next job
	capacity watch.Capacity
	free     int64
	pending  []*viewJob // in the order in which the scheduler considers them
	running  []*viewJob // by start
	parts    map[int64]*viewPart
	scores   *Scores
	plan     *plan // nil before the first
}

// viewJob is an open job, with its state at the last poll.
type viewJob struct {
	*openJob
	*watch.Sighting
	place   int  // place among the pending jobs of its partition that are not held, from 1
	blocked bool // no such job can start now
}

// viewPart is a partition with the numbers of its jobs.
type viewPart struct {
	*watch.Partition
	running, pending, queued int // queued counts the pending jobs that are not held
}

// unseen is the Sighting of a job if the feed has none.
var unseen = &watch.Sighting{Expected: math.NaN()}

// name returns the scheduler's name of a job, or "" if it is the number.
func (j *viewJob) name() string { return cmp.Or(j.Label, j.label) }

// newView returns the view after a batch, with the last plan.
func (s *Service) newView(b *Batch) *view {
	e := s.engine
	v := &view{at: b.At, rows: e.rows, capacity: b.Capacity, parts: map[int64]*viewPart{}, free: b.Capacity.Processors}
	for i := range v.capacity.Partitions {
		p := &v.capacity.Partitions[i]
		v.parts[p.Number] = &viewPart{Partition: p}
	}
	jobs := make([]viewJob, 0, len(e.open)) // one allocation
	for row, o := range e.open {
		jobs = append(jobs, viewJob{openJob: o, Sighting: cmp.Or(b.Jobs[row], unseen)})
		j := &jobs[len(jobs)-1]
		part := v.parts[o.request.Partition]
		if part == nil {
			part = &viewPart{Partition: &watch.Partition{Name: nameOf(s.feed.Names(), "Partition", o.request.Partition), State: watch.Up, Processors: v.capacity.Processors, MaxTime: math.NaN()}}
			v.parts[o.request.Partition] = part
		}
		if o.waits() {
			j.blocked = v.blocked(o.request, true) != nil
			v.pending = append(v.pending, j)
			part.pending++
		} else {
			v.running = append(v.running, j)
			part.running++
			v.free -= max(o.request.Size, 0)
		}
	}
	v.free = max(0, v.free)
	v.sort()
	if last := s.view.Load(); last != nil {
		v.scores = last.scores
		if v.capacity.Processors > 0 { // else the plan is no longer valid
			v.plan = last.plan
		}
	}
	if v.scores == nil || time.Since(s.scored) >= scoredEvery {
		v.scores, s.scored = s.scoresNow(v.at), time.Now()
	}
	return v
}

// sort sorts pending jobs in the scheduler's order and running jobs by start, and sets the
// places of the pending ones.
func (v *view) sort() {
	bySubmission := func(a, b *viewJob) int {
		return cmp.Or(cmp.Compare(a.request.Submit, b.request.Submit), cmp.Compare(a.request.Row, b.request.Row))
	}
	slices.SortFunc(v.pending, func(a, b *viewJob) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), bySubmission(a, b))
	})
	slices.SortFunc(v.running, func(a, b *viewJob) int { return cmp.Or(cmp.Compare(a.start, b.start), bySubmission(a, b)) })
	for _, j := range v.pending {
		if !j.Held {
			part := v.parts[j.request.Partition]
			part.queued++
			j.place = part.queued
		}
	}
}

// stateNow returns the state of a view for an answer.
func (s *Service) stateNow(v *view) State {
	age := max(0, s.feed.Now()-v.at)
	s.mu.Lock()
	ended, rhythm := s.status.Phase == Ended, s.rhythm
	s.mu.Unlock()
	return State{
		Time: s.timeAt(v.at), Clock: stats.Number(v.at), Age: stats.Number(age), Stale: !ended && age > stalePolls*max(s.feed.Interval(), rhythm),
		Processors: v.capacity.Processors, Free: v.free, Unavailable: v.capacity.Unavailable, Running: len(v.running), Pending: len(v.pending),
	}
}

// stalePolls is the number of intervals without a poll after which a state is stale. The
// interval is the one requested or, if longer, the recent time between polls.
const stalePolls = 3

// timeAt converts a time of the feed's clock. It limits the result to what a time.Duration
// from the origin can hold.
func (s *Service) timeAt(at float64) time.Time {
	at = max(-longest, min(at, longest))
	whole, part := math.Modf(at)
	return s.origin.Add(time.Duration(whole) * time.Second).Add(time.Duration(part * 1e9)).Round(time.Millisecond)
}

// Withheld is the reason why there is no prediction: the state is too old, or no such job can
// start now. Predictors cannot know when that will change.
type Withheld struct {
	Reason string `json:"reason" help:"stale (the state is too old); held (a pending job waits for something other than processors); partition-down, partition-drain or partition-inactive; or unavailable (fewer processors than it needs are in service: unavailable_processors of the state, or of the partition, has the reasons)."`
	Text   string `json:"text" help:"For people."`
}

// Reasons that do not come from the machine.
const (
	ReasonStale = "stale" // the state is too old
	ReasonHeld  = "held"  // a pending job waits for something other than processors
)

// withheld returns the reason why a request has no prediction, or nil if it may have one. queued
// means that the job is already in the queue, so that the partition need not accept it.
func (v *view) withheld(m *State, r *workload.Request, queued bool) *Withheld {
	if m.Stale {
		return &Withheld{ReasonStale, fmt.Sprintf("the state of the machine is of %s, which is too old to rely on", m.Time.Format(time.RFC3339))}
	}
	return v.blocked(r, queued)
}

// blocked returns the reason why a job like the request cannot start now, or nil if it can.
func (v *view) blocked(r *workload.Request, queued bool) *Withheld {
	const short = "%d of %d processors of the %s are available"
	if p := v.parts[r.Partition]; p != nil {
		if !p.State.Starts() || !queued && !p.State.Accepts() {
			return &Withheld{"partition-" + string(p.State), fmt.Sprintf("the partition %s starts no new jobs: its state is %q", p.Name, string(p.State))}
		}
		if p.Total > 0 && r.Size > p.Processors {
			return &Withheld{"unavailable", fmt.Sprintf(short, p.Processors, p.Total, "partition "+p.Name)}
		}
	}
	if c := &v.capacity; c.Total > 0 && r.Size > c.Processors {
		return &Withheld{"unavailable", fmt.Sprintf(short, c.Processors, c.Total, "machine")}
	}
	return nil
}
