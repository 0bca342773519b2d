package predict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Snapshot describes a machine at one moment: the jobs that hold its processors and
// the jobs that wait for them.
type Snapshot struct {
	Time       float64 // s, the moment
	Processors int64
	Running    []Occupant         // in order of start
	Queued     []workload.Request // in order of submission, then in the log's order
}

// Free returns the number of processors that no job holds.
func (s *Snapshot) Free() int64 {
	h := Head{Running: s.Running}
	return s.Processors - h.held()
}

// Ahead returns the queued jobs that start before a job that is submitted now,
// in the order in which they start. If queues is empty these are all queued jobs,
// in order of submission; otherwise those in queues at least as urgent, the
// most urgent first (see sched.Priority).
func (s *Snapshot) Ahead(r *workload.Request, queues []int64) []*workload.Request {
	rank := func(r *workload.Request) int {
		if i := slices.Index(queues, r.Queue); i >= 0 {
			return i
		}
		return len(queues)
	}
	own := rank(r)
	var ahead []*workload.Request
	for i := range s.Queued {
		if q := &s.Queued[i]; rank(q) <= own {
			ahead = append(ahead, q)
		}
	}
	slices.SortStableFunc(ahead, func(a, b *workload.Request) int { return rank(a) - rank(b) })
	return ahead
}

// A SnapshotBuilder builds a Snapshot from the jobs of a log or of a state file,
// in any order, and detects contradictions.
type SnapshotBuilder struct {
	// SharedIDs allows several jobs to have the same number, as the tasks of
	// an array do in some formats.
	SharedIDs bool
	// Warnings counts the queued jobs that were left out because they can
	// never start ("no-size" and "larger-than-machine"), and jobs without a
	// submission time ("no-submit-time"). It may be nil.
	Warnings *workload.Warnings

	snapshot Snapshot
	held     int64
	seen     map[int64]int64 // line of each running or queued job, by ID
}

// NewSnapshotBuilder returns a builder for the moment now, in the log's
// seconds, and a machine of at least one processor.
func NewSnapshotBuilder(now float64, processors int64) (*SnapshotBuilder, error) {
	switch {
	case math.IsNaN(now) || math.IsInf(now, 0):
		return nil, fmt.Errorf("a snapshot at %g s, want a finite time", now)
	case processors < 1:
		return nil, fmt.Errorf("a snapshot of %d processors, want at least one", processors)
	}
	return &SnapshotBuilder{snapshot: Snapshot{Time: now, Processors: processors}, seen: map[int64]int64{}}, nil
}

// Add adds a job and returns its standing at the moment. line is its line in
// the file, for errors; 0 if unknown.
//
// The error is a *workload.InputError without a file name if the state
// contradicts itself: two queued or running jobs have the same number, a
// running job started before it was submitted or has no size, or the running
// jobs hold more processors than the machine has.
func (b *SnapshotBuilder) Add(j *workload.Job, line int64) (Standing, error) {
	standing := StandingAt(j, b.snapshot.Time)
	if math.IsNaN(j.Submit) {
		b.Warnings.Add("no-submit-time", "jobs left out: their submission time is unknown", line, j.Label())
	}
	if standing != Running && standing != Queued {
		return standing, nil
	}
	fault := func(column int, saw, want string) (Standing, error) {
		return standing, &workload.InputError{Line: line, Field: workload.Columns()[column].Name, Saw: saw, Want: want}
	}
	if j.ID != workload.Unknown && !b.SharedIDs {
		if first, twice := b.seen[j.ID]; twice {
			saw := fmt.Sprintf("%d a second time", j.ID)
			if first > 0 {
				saw = fmt.Sprintf("%d, which is in line %d too", j.ID, first)
			}
			return fault(workload.ColJobID, saw, "each job that runs or waits once")
		}
		b.seen[j.ID] = line
	}
	if standing == Queued {
		switch {
		case j.Size <= 0:
			b.Warnings.Add("no-size", "queued jobs left out: they have no size", line, j.Label())
		case j.Size > b.snapshot.Processors:
			b.Warnings.Add("larger-than-machine", "queued jobs left out: they are larger than the machine", line,
				fmt.Sprintf("%s of %d processors, machine of %d", j.Label(), j.Size, b.snapshot.Processors))
		default:
			b.snapshot.Queued = append(b.snapshot.Queued, j.Request)
		}
		return standing, nil
	}
	switch {
	case j.Wait < 0:
		return fault(workload.ColWaitTime, strconv.FormatFloat(j.Wait, 'f', -1, 64)+" s", "a running job to have started after its submission")
	case j.Size <= 0:
		return fault(workload.ColAllocatedProcessors, "none of a running job", "its processors")
	}
	if b.held += j.Size; b.held > b.snapshot.Processors {
		return fault(workload.ColAllocatedProcessors,
			fmt.Sprintf("%d more of running %s, %d with those before it", j.Size, j.Label(), b.held),
			fmt.Sprintf("no more than the machine's %d processors", b.snapshot.Processors))
	}
	start := j.Start()
	if math.IsNaN(start) {
		start = j.Submit // as in StandingAt
	}
	request := j.Request
	b.snapshot.Running = append(b.snapshot.Running, Occupant{&request, j.Size, b.snapshot.Time - start})
	return standing, nil
}

// Snapshot returns the snapshot of the jobs added so far. Their order does not depend on the
// order in which they were added.
func (b *SnapshotBuilder) Snapshot() *Snapshot {
	s := b.snapshot
	s.Running, s.Queued = slices.Clone(s.Running), slices.Clone(s.Queued)
	slices.SortStableFunc(s.Running, func(a, b Occupant) int {
		return cmp.Or(cmp.Compare(b.Age, a.Age), cmp.Compare(a.Request.Row, b.Request.Row))
	})
	slices.SortStableFunc(s.Queued, func(a, b workload.Request) int {
		return cmp.Or(cmp.Compare(a.Submit, b.Submit), cmp.Compare(a.Row, b.Row))
	})
	return &s
}

// Standing is the state of a job at one moment.
type Standing uint8

// The standings.
const (
	Unsubmitted Standing = iota // submitted later, or at an unknown time
	Queued
	Running
	Ended // or will never start
)

// StandingAt returns the standing, at the time now in the log's seconds, of a
// job of a log or of a state file. It ignores events after that moment, so any
// log can be cut at any moment:
//
//   - Not submitted by now, or without a submission time: Unsubmitted.
//   - With a run time: Ended if submission, wait and run time add up to now or
//     less, Running if it had started by now, else Queued. An unknown wait
//     counts as 0, as in workload.Timeline.
//   - Without a run time, but with a status: Ended. It was cancelled before it
//     started, or its run time was not recorded.
//   - With neither: Running from its start on, Queued before its start or
//     without one.
func StandingAt(j *workload.Job, now float64) Standing {
	if !(j.Submit <= now) {
		return Unsubmitted
	}
	start := j.Start()
	if !math.IsNaN(j.Run) {
		if math.IsNaN(start) {
			start = j.Submit
		}
		switch {
		case start+j.Run <= now:
			return Ended
		case start <= now:
			return Running
		}
		return Queued
	}
	switch {
	case j.Status != workload.Unknown:
		return Ended
	case start <= now:
		return Running
	}
	return Queued
}
