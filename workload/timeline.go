package workload

import (
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/slots"
)

// EventKind is what happens to a job at an instant. At equal times finishes
// come before submissions, and submissions before starts.
type EventKind uint8

// The kinds of events, in the order in which they happen at one instant.
const (
	Finish EventKind = iota
	Submit
	Start
)

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
	Time float64
	Slot int
	Job  *Job
}

// Timeline turns jobs, in order of submission (see InOrder), into their events
// in order of time. It holds only the jobs that are under way.
//
// A job has a Submit event always, a Start event where its wait is known, and
// a Finish event where its run time is known too; an unknown wait counts as
// none for the finish, because many grid logs have no waits. Negative waits
// and run times count as unknown. Ties: finishes, then submissions, then
// starts; among finishes and among starts, the log's order (Job.Row). A job's
// own events never come before its submission, nor its finish before its start,
// so no job learns from itself.
func Timeline(jobs iter.Seq2[Job, error]) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var t timeline
		for j, err := range jobs {
			if err != nil {
				yield(Event{}, err)
				return
			}
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

// due is an event that is still to come.
type due struct {
	time float64
	row  int64
	slot int32
	kind EventKind
}

func (a due) before(b due) bool {
	if a.time != b.time {
		return a.time < b.time
	}
	if a.kind != b.kind {
		return a.kind < b.kind
	}
	return a.row < b.row
}

type timeline struct {
	jobs slots.Table[Job]
	heap []due
}

// plan enters the events that follow a submission.
func (t *timeline) plan(slot int32) {
	j := t.jobs.At(slot)
	switch {
	case j.Wait >= 0:
		t.push(due{j.Submit + j.Wait, j.Row, slot, Start})
	case j.Run >= 0:
		t.push(due{j.Submit + j.Run, j.Row, slot, Finish})
	default:
		t.jobs.Free(slot)
	}
}

// drain yields what happens before a submission at that time: everything
// earlier, and the finishes of the same instant.
func (t *timeline) drain(until float64, yield func(Event, error) bool) bool {
	for len(t.heap) > 0 {
		d := t.heap[0]
		if d.time > until || (d.time == until && d.kind == Start) {
			return true
		}
		t.pop()
		if !yield(Event{d.kind, d.time, int(d.slot), t.jobs.At(d.slot)}, nil) {
			return false
		}
		if j := t.jobs.At(d.slot); d.kind == Start && j.Run >= 0 {
			// Only now, so that a job without length does not end before it starts.
			t.push(due{d.time + j.Run, j.Row, d.slot, Finish})
		} else {
			t.jobs.Free(d.slot)
		}
	}
	return true
}

// push and pop are a binary heap by hand: container/heap's interface calls
// cost three times as much, and a replay does little else.
func (t *timeline) push(d due) {
	t.heap = append(t.heap, d)
	h := t.heap
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !d.before(h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = d
}

func (t *timeline) pop() {
	h := t.heap
	d := h[len(h)-1]
	h = h[:len(h)-1]
	t.heap = h
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(d) {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = d
	}
}
