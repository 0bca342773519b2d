package live

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/live/plan"
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
	byID     map[int64]*viewJob
	byLabel  map[string]*viewJob
	byPart   map[int64]*partitionView
	limits   map[int64]*watch.Partition // those of capacity, by number
	queued   map[int64]int              // pending jobs that are not held, by partition
	scores   *Scores
	plan     *plan.Plan // nil before the first
}

// viewJob is an open job, and what the last poll showed of it.
type viewJob struct {
	*openJob
	sight             // zero where a feed has events alone
	place   int       // of a pending job among those of its partition, from 1
	blocked *Withheld // why a pending job cannot start now; nil if it can
}

// partitionView counts the jobs of a partition.
type partitionView struct {
	running, pending int
}

// sight is what a view keeps of a watch.Sighting.
type sight struct {
	name, reason string
	own          float64 // s, the scheduler's own forecast; NaN is none
	priority     int64   // 0 where it is not known
	held         bool
}

func sightOf(s *watch.Sighting) sight {
	if s == nil {
		return sight{own: math.NaN()}
	}
	seen := sight{s.Label, s.Reason, s.Expected, s.Priority, s.Held}
	if s.Priority == workload.Unknown {
		seen.priority = 0
	}
	return seen
}

// newView returns how things stand after a batch, with the last plan.
func (s *Service) newView(b *Batch) *view {
	e := s.engine
	v := &view{
		at: b.At, rows: e.rows, capacity: b.Capacity, byPart: map[int64]*partitionView{},
		byID: make(map[int64]*viewJob, len(e.open)), byLabel: map[string]*viewJob{}, limits: map[int64]*watch.Partition{},
	}
	for i := range v.capacity.Partitions {
		v.limits[v.capacity.Partitions[i].Number] = &v.capacity.Partitions[i]
	}
	busy := int64(0)
	jobs := make([]viewJob, len(e.open)) // one allocation
	n := 0
	for row, o := range e.open {
		j := &jobs[n]
		n++
		*j = viewJob{openJob: o, sight: sightOf(b.Jobs[row])}
		if j.name == "" {
			j.name = o.label
		}
		p := v.byPart[o.request.Partition]
		if p == nil {
			p = &partitionView{}
			v.byPart[o.request.Partition] = p
		}
		if math.IsNaN(o.start) {
			j.blocked = v.blocked(o.request, true)
			v.pending = append(v.pending, j)
			p.pending++
		} else {
			v.running = append(v.running, j)
			p.running++
			busy += max(o.request.Size, 0)
		}
		if first := v.byID[o.request.ID]; first == nil || row < first.request.Row { // tasks that wait share one
			v.byID[o.request.ID] = j
		}
		if j.name != "" {
			v.byLabel[j.name] = j
		}
	}
	v.free = max(0, v.capacity.Processors-busy)
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
		return cmp.Or(cmp.Compare(b.priority, a.priority), bySubmission(a, b))
	})
	slices.SortFunc(v.running, func(a, b *viewJob) int { return cmp.Or(cmp.Compare(a.start, b.start), bySubmission(a, b)) })
	v.queued = map[int64]int{}
	for _, j := range v.pending {
		if !j.held {
			v.queued[j.request.Partition]++
			j.place = v.queued[j.request.Partition]
		}
	}
}

// momentNow is the state of a view as an answer gives it.
func (s *Service) momentNow(v *view) Moment {
	age := max(0, s.feed.Now()-v.at)
	s.mu.Lock()
	ended, digested := s.status.Phase == Ended, s.digested
	s.mu.Unlock()
	return Moment{
		Time: s.timeAt(v.at), Age: stats.Number(age), Stale: !ended && age > stalePolls*max(s.feed.Interval(), digested),
		Processors: v.capacity.Processors, Free: v.free, Unavailable: v.capacity.Unavailable, Running: len(v.running), Pending: len(v.pending),
	}
}

// stalePolls is after how many intervals without a poll a state is stale: the usual ones,
// or as long as the service itself takes from poll to poll.
const stalePolls = 3

// timeAt is a moment of the feed's clock; at most what a time.Duration holds.
func (s *Service) timeAt(at float64) time.Time {
	at = max(-longest, min(at, longest))
	whole, part := math.Modf(at)
	return s.origin.Add(time.Duration(whole) * time.Second).Add(time.Duration(part * 1e9)).Round(time.Millisecond)
}

// longest is a length of time in seconds, of centuries: a time.Duration has no more.
const longest = 9e9

// partitionNumbers are the partitions of open jobs, in order.
func (v *view) partitionNumbers() []int64 {
	return slices.Sorted(maps.Keys(v.byPart))
}
