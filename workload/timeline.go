package workload

import (
	"context"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/internal/slots"
)

// EventKind is what happens to a job at an instant. At equal times finishes
// come before submissions, and submissions before starts.
type EventKind uint8

// The kinds of events, in the order in which they happen at one instant.
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

// Event is one thing that happens to one job. Job points into the timeline's
// own memory: it is valid until the next event, and is not to be altered.
//
// Slot is a small number that the job has from its submission to its last
// event and that is used again afterwards: a replay keeps what it knows of the
// jobs under way in slices indexed by it.
type Event struct {
	Kind EventKind
	Time float64 // s, from the log's start
	Slot int     // from 0
	Job  *Job
}

// Timeline turns jobs, in order of submission (see InOrder), into their events
// in order of time. It holds only the jobs that are under way.
//
// A job has a Submit event, a Start event where its wait is known, and
// a Finish event where its run time is known too; an unknown wait counts as
// none for the finish, because many grid logs have no waits. Negative waits
// and run times count as unknown. Ties: finishes, then submissions, then
// starts; among finishes and among starts, the log's order (Job.Row). A job's
// own events never come before its submission, nor its finish before its start,
// so no job learns from itself.
//
// Jobs whose submission time is unknown have no events: InOrder counts them. A job
// submitted before one that it follows is an error that wraps ErrOrder, because a replay
// would have shown later events to predictors by then. An error of the input is passed
// on. After an error nothing follows.
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
	next heap.Heap[int32] // slots of the jobs, by their next events
}

// kindBit makes events of one time go by their kind, and those of a kind by the job's row,
// which may be below 0.
const kindBit = 61

func kindOf(seq int64) EventKind { return EventKind((seq + 1<<(kindBit-1)) >> kindBit) }

func (t *timeline) push(at float64, kind EventKind, row int64, slot int32) {
	t.next.Push(heap.Item[int32]{At: at, Seq: int64(kind)<<kindBit + row, Value: slot})
}

// plan enters the events that follow a submission.
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

// drain yields what happens before a submission at that time: everything
// earlier, and the finishes of the same instant.
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
			// Only now, so that a job without length does not end before it starts.
			t.push(at+j.Run, Finish, j.Row, slot)
		} else {
			t.jobs.Free(slot)
		}
	}
	return true
}

// Learner is predictors and what they are asked: Replay tells it what happens. Row is what it
// has to say of a job.
type Learner[Row any] interface {
	// Keeps reports whether a job is replayed.
	Keeps(*Job) bool
	// Learn takes the next event. It returns a row for the caller of the replay, which is
	// valid until the next event, or nil.
	Learn(Event) (*Row, error)
}

// Replay replays jobs, which come in order of submission, for a Learner, and yields its rows.
// It is the one loop in which predictors of run time and of wait follow a log. Events come in
// the order of Timeline, so that nothing is learned before it has happened. An error of the
// input or of the Learner is yielded, and nothing after it.
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

// Until returns a stream that ends with the context's error soon after the context is done:
// within a few batches or jobs.
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
