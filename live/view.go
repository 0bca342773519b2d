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

// view is how things stood after a batch. It is never altered.
type view struct {
	at       float64 // s
	rows     int64   // the next job's
	capacity watch.Capacity
	free     int64
	pending  []*viewJob // in the order in which the scheduler considers them
	running  []*viewJob // by start
	parts    map[int64]*viewPart
	scores   *Scores
	plan     *plan // nil before the first
}

// viewJob is an open job, and what the last poll showed of it.
type viewJob struct {
	*openJob
	*watch.Sighting
	place   int  // of a pending job among those of its partition, from 1
	blocked bool // no such job can start now
}

// viewPart is a partition and its jobs.
type viewPart struct {
	*watch.Partition             // nil where the source tells nothing of it
	running, pending, queued int // queued are the pending ones that are not held
}

// unseen is the sighting of a job of a feed that has events alone.
var unseen = &watch.Sighting{Expected: math.NaN()}

// name is the scheduler's name of a job; "" if it is the number.
func (j *viewJob) name() string { return cmp.Or(j.Label, j.label) }

// newView returns how things stand after a batch, with the last plan.
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
		if v.capacity.Processors > 0 { // else what was planned does not come true
			v.plan = last.plan
		}
	}
	if v.scores == nil || time.Since(s.scored) >= scoredEvery {
		v.scores, s.scored = s.scoresNow(v.at), time.Now()
	}
	return v
}

// sort puts pending jobs in the scheduler's order, and gives them their places.
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

// stateNow is the state of a view as an answer gives it.
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

// stalePolls is after how many intervals without a poll a state is stale: the usual ones,
// or those that polls have had lately.
const stalePolls = 3

// timeAt is a moment of the feed's clock; at most what a time.Duration holds.
func (s *Service) timeAt(at float64) time.Time {
	at = max(-longest, min(at, longest))
	whole, part := math.Modf(at)
	return s.origin.Add(time.Duration(whole) * time.Second).Add(time.Duration(part * 1e9)).Round(time.Millisecond)
}

// Withheld is the reason why no wait is promised: the state is too old, or no such job can
// start now. No predictor knows when that will change.
type Withheld struct {
	Reason string `json:"reason" help:"stale (the state is too old); held (a pending job waits for something other than processors); partition-down, partition-drain or partition-inactive; or unavailable (fewer processors than it needs can be had: unavailable_processors of the state, or of the partition, has the reasons)."`
	Text   string `json:"text" help:"For people."`
}

// Reasons that do not come from the machine.
const (
	ReasonStale = "stale" // the state is too old
	ReasonHeld  = "held"  // a pending job waits for something other than processors
)

// withheld returns why a request has no prediction; nil if it may have one. queued is of a
// job in the queue, which a partition need not accept any more.
func (v *view) withheld(m *State, r *workload.Request, queued bool) *Withheld {
	if m.Stale {
		return &Withheld{ReasonStale, fmt.Sprintf("the state of the machine is of %s, which is too old to rely on", m.Time.Format(time.RFC3339))}
	}
	return v.blocked(r, queued)
}

// blocked returns why no job like a request can start now; nil if one can.
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
