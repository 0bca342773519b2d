package watch

import (
	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Event is one thing that happened to one job.
//
// A job has a Submit event, then a Start event where it started, then a Finish event.
// The Finish of a job that never started, whose Job.Wait is NaN, is its withdrawal.
type Event struct {
	Kind workload.EventKind
	// Time is when it happened, s. It does not decrease from event to event: a
	// past event that a poll shows late has the time of the event before it,
	// and one in the future the time of the poll. Job has the machine's own
	// times.
	Time float64
	// Job is the job as it was known when the poll was taken. It must not be
	// changed, and stays valid. Job.Row numbers the jobs of a tracker from 0
	// and is the same in all events of a job, and in its sightings.
	Job   *workload.Job
	Label string // see Sighting.Label
	// Guessed reports that the job disappeared without a record of its end: Time
	// is that of the first poll without it, at which Job.Run of a started job
	// ends.
	Guessed bool
	// Again reports that the job had been counted as gone and is back: an
	// earlier answer about it was already settled or censored. Only Submit
	// events have it.
	Again bool
}

// Withdrawal reports whether the event is the end of a job that never started.
func (e *Event) Withdrawal() bool { return e.Kind == workload.Finish && !(e.Job.Wait >= 0) }

// happenings are what a poll shows of one job that is new, in the order in which it
// happened.
type happenings []Event

// kindBit makes events of one time go by their kind, as in workload.Timeline.
const kindBit = 61

// inOrder merges what happened to the jobs between two moments: by time, then
// finishes, submissions and starts, then rows. A job without length ends before the next
// one starts, as in workload.Timeline.
func inOrder(all []happenings, from, to float64) []Event {
	var next heap.Heap[int32]
	total, at := 0, make([]int32, len(all))
	push := func(i int, from float64) {
		e := &all[i][at[i]]
		e.Time = max(from, min(e.Time, to))
		next.Push(heap.Item[int32]{At: e.Time, Seq: int64(e.Kind)<<kindBit + e.Job.Row, Value: int32(i)})
	}
	for i, h := range all {
		if len(h) > 0 {
			total += len(h)
			push(i, from)
		}
	}
	events := make([]Event, 0, total)
	for len(next) > 0 {
		i := next.Pop().Value
		e := all[i][at[i]]
		events = append(events, e)
		if at[i]++; int(at[i]) < len(all[i]) {
			push(int(i), e.Time)
		}
	}
	return events
}
