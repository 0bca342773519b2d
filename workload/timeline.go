package workload

import (
	"context"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/internal/slots"
)

// EventKind is the kind of an Event. At equal times, finishes come before submissions, and
// submissions before starts.
type EventKind uint8

// The kinds of events, in their order at equal times.
const (
	Finish EventKind = iota // the job ends
	Submit                  // the job is submitted
	Start                   // the job starts
)

// String returns "finish", "submit" or "start".
func (k EventKind) String() string {
	switch k {
	case Finish:
		return "finish"
	case Submit:
		return "submit"
	default:
		return "start"
	}
}

// Event is one thing that happens to one job. Job points into the timeline's own memory: it is
// valid until the next event and must not be modified.
//
// Slot is a small number that identifies the job from its submission to its last event and is
// then reused, so that a replay can keep its state of the jobs under way in slices indexed by
// Slot.
type Event struct {
	Kind EventKind
	Time float64 // s, from the log's start
	Slot int     // from 0
	Job  *Job
}

// Timeline yields the events of jobs in order of time. The jobs must be in order of submission
// (see InOrder). It holds only the jobs that are under way.
//
// A job has a Submit event, a Start event if its wait is known, and a Finish event if its run
// time is known; for the finish, an unknown wait counts as 0, because many grid logs have no
// waits. Negative waits and run times count as unknown. Ties: finishes, then submissions, then
// starts; among finishes and among starts, the log's order (Job.Row). A job's own events never
// come before its submission, nor its finish before its start, so no job learns from itself.
//
// Jobs whose submission time is unknown have no events: InOrder counts them. A job submitted
// before its predecessor is an error that wraps ErrOrder, because predictors would already have
// seen later events. An error of the input is passed on. Nothing follows an error.
func Timeline(jobs iter.Seq2[Job, error]) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var t timeline
		before := math.Inf(-1)
		for j, err := range jobs {
			if err != nil {
				yield(Event{}, err)
				return
			}
			switch {
			case math.IsNaN(j.Submit):
				continue
			case j.Submit < before:
				yield(Event{}, OutOfOrder(&j, before))
				return
			}
			before = j.Submit
			if !t.drain(j.Submit, yield) {
				return
			}
			slot := t.jobs.Put(&j)
			if !yield(Event{Submit, j.Submit, int(slot), t.jobs.At(slot)}, nil) {
				return
			}
			t.plan(slot)
		}
		t.drain(math.Inf(1), yield)
	}
}

type timeline struct {
	jobs slots.Table[Job]
	next heap.Heap[int32] // slots of the jobs with a next event, ordered by that event
}

// kindBit is the position of the event kind in Seq, which orders events at equal times by kind
// and then by the job's row. A row may be below 0.
const kindBit = 61

// kindOf returns the kind of event in Seq. It adds half a unit first, so that a negative row does
// not lower the kind.
func kindOf(seq int64) EventKind { return EventKind((seq + 1<<(kindBit-1)) >> kindBit) }

func (t *timeline) push(at float64, kind EventKind, row int64, slot int32) {
	t.next.Push(heap.Item[int32]{At: at, Seq: int64(kind)<<kindBit + row, Value: slot})
}

// plan schedules the event that follows a job's submission, or frees its slot if there is none.
func (t *timeline) plan(slot int32) {
	j := t.jobs.At(slot)
	switch {
	case j.Wait >= 0:
		t.push(j.Submit+j.Wait, Start, j.Row, slot)
	case j.Run >= 0:
		t.push(j.Submit+j.Run, Finish, j.Row, slot)
	default:
		t.jobs.Free(slot)
	}
}

// drain yields the events before a submission at the time until: all earlier ones, and the
// finishes at that time. It returns false if yield did.
func (t *timeline) drain(until float64, yield func(Event, error) bool) bool {
	for len(t.next) > 0 {
		at, kind, slot := t.next[0].At, kindOf(t.next[0].Seq), t.next[0].Value
		if at > until || (at == until && kind == Start) {
			return true
		}
		t.next.Pop()
		j := t.jobs.At(slot)
		if !yield(Event{kind, at, int(slot), j}, nil) {
			return false
		}
		if kind == Start && j.Run >= 0 {
			// Schedule it only now, so that a job with a run time of 0 does not finish before it
			// starts.
			t.push(at+j.Run, Finish, j.Row, slot)
		} else {
			t.jobs.Free(slot)
		}
	}
	return true
}

// Learner makes predictions from the events of a log, which Replay passes to it. Row is the type of
// its results for a job.
type Learner[Row any] interface {
	// Keeps reports whether a job is replayed.
	Keeps(*Job) bool
	// Learn takes the next event. It returns a row for the caller of the replay, or nil. The row
	// is valid until the next event.
	Learn(Event) (*Row, error)
}

// Replay replays jobs, in order of submission, for a Learner, and yields the rows that Learn
// returns. All predictors of run times and of waits follow a log through this loop. Events come
// in the order of Timeline, so that nothing is learned before it has happened. An error of the
// input or of the Learner is yielded, and nothing follows it.
func Replay[Row any](jobs iter.Seq2[Job, error], l Learner[Row]) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for e, err := range Timeline(Select(jobs, l.Keeps)) {
			var row *Row
			if err == nil {
				row, err = l.Learn(e)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if row != nil && !yield(row, nil) {
				return
			}
		}
	}
}

// Until yields the items of in. It ends with the context's error soon after the context is done,
// within 16 items.
func Until[T any](ctx context.Context, in iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		n := 0
		for x, err := range in {
			if n++; n%16 == 1 && ctx.Err() != nil {
				var none T
				yield(none, ctx.Err())
				return
			}
			if !yield(x, err) || err != nil {
				return
			}
		}
	}
}
