// Package feedback closes the loop of a simulation: it holds a job back until the
// job that it waits for has ended and the think time has passed (Shmueli and
// Feitelson, TPDS 2009; Zakay and Feitelson, MASCOTS 2014). It is used by package sched.
package feedback

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/internal/slots"
	"github.com/loadstone-hpc/loadstone/workload"
)

// link is a job that others may wait for.
type link struct {
	number int64   // Request.ID
	end    float64 // s; NaN before it has ended
	first  int32   // slot of the first job held back for it, or never; see heldBack.next
}

// never is the value for no slot.
const never = -1

// None is the link of a job for which no job can wait.
const None int32 = never

// LongestThink is the longest think time, in seconds, for which a job counts as waiting
// for the preceding one: a week. Jobs are remembered that long after their end.
const LongestThink = 7 * 86400

// Loop holds jobs back until the job that each waits for has ended and its think
// time has passed. Create it with New. The methods First and Arrive of a nil Loop
// may be called; it holds no jobs back.
type Loop struct {
	warnings *workload.Warnings
	links    slots.Table[link]
	byNumber map[int64]int32 // by job number: link of a job that has not ended or is remembered
	ended    []int32         // links, in the order of the ends

	back     slots.Table[heldBack]
	arrivals heap.Heap[int32] // slots in back of the jobs whose submission time is known
	position int64            // of the last job in the log so far, from 1
}

// heldBack is a job that has not been submitted yet. Its Submit is that in the log.
type heldBack struct {
	job      workload.Job
	position int64 // in the log
	link     int32
	next     int32 // slot of the next job that waits for the same one, or never
}

// New returns a Loop that counts its warnings in w, under the rules "preceding-missing",
// "think-time-long" and "preceding-never-ends". w may be nil.
func New(w *workload.Warnings) *Loop {
	return &Loop{warnings: w, byNumber: map[int64]int32{}}
}

// Take registers a job when the simulation has reached its submission time in the log;
// no job is submitted earlier than in the log. It returns the job's link, for Finished,
// and whether the job is held back until Arrive.
func (f *Loop) Take(j *workload.Job) (own int32, held bool) {
	f.forget(j.Submit)
	at, before := j.Submit, int32(never)
	if j.Preceding != workload.Unknown {
		at, before = f.due(j)
	}
	own = f.enter(j)
	f.position++
	if before == never && at <= j.Submit {
		return own, false
	}
	h := heldBack{job: *j, position: f.position, link: own, next: never}
	if before == never {
		f.arrivals.Push(heap.Item[int32]{At: at, Seq: f.position, Value: f.back.Put(&h)})
		return own, true
	}
	x := f.links.At(before)
	h.next = x.first
	x.first = f.back.Put(&h)
	return own, true
}

// due returns the link of the job that a job waits for or, if there is none,
// never and the earliest time at which the job may be submitted.
func (f *Loop) due(j *workload.Job) (at float64, before int32) {
	if j.Think > LongestThink {
		f.warnings.Add("think-time-long", "jobs submitted at their own time: their think time is longer than a week, too long to count as waiting for the preceding job", 0, j.Label())
		return j.Submit, never
	}
	before, known := f.byNumber[j.Preceding]
	if !known {
		f.warnings.Add("preceding-missing", "jobs submitted at their own time: the job that they wait for is not simulated in the week before them (unknown, left out, later in the log or ended earlier)", 0, j.Label())
		return j.Submit, never
	}
	if x := f.links.At(before); !math.IsNaN(x.end) {
		return after(j, x.end), never
	}
	return 0, before
}

// after returns the end of the preceding job plus the think time.
func after(j *workload.Job, end float64) float64 {
	if j.Think > 0 { // an unknown or negative think time counts as 0
		return end + j.Think
	}
	return end
}

// enter adds a link for a job and returns it. If several jobs have the same number, others
// wait for the latest.
func (f *Loop) enter(j *workload.Job) int32 {
	if j.ID == workload.Unknown {
		return never
	}
	own := f.links.Put(&link{number: j.ID, end: math.NaN(), first: never})
	f.byNumber[j.ID] = own
	return own
}

// Finished records that the job of a link has ended, and schedules the jobs that wait for
// it. It does nothing if now is +Inf.
func (f *Loop) Finished(own int32, now float64) {
	if own == never || math.IsInf(now, 1) {
		return
	}
	x := f.links.At(own)
	x.end = now
	f.ended = append(f.ended, own)
	for slot := x.first; slot != never; {
		h := f.back.At(slot)
		f.arrivals.Push(heap.Item[int32]{At: after(&h.job, now), Seq: h.position, Value: slot})
		slot, h.next = h.next, never
	}
	x.first = never
}

// forget drops the ended jobs for which no job can wait any longer at the time now.
func (f *Loop) forget(now float64) {
	for len(f.ended) > 0 {
		own := f.ended[0]
		x := f.links.At(own)
		if x.end+LongestThink >= now {
			return
		}
		f.ended = f.ended[1:]
		if f.byNumber[x.number] == own {
			delete(f.byNumber, x.number)
		}
		f.links.Free(own)
	}
}

// Held returns the number of jobs that are held back.
func (f *Loop) Held() int { return f.back.Len() }

// First returns the time at which the next held-back job is submitted, or +Inf if
// there is none.
func (f *Loop) First() float64 {
	if f == nil || len(f.arrivals) == 0 {
		return math.Inf(1)
	}
	return f.arrivals[0].At
}

// Close counts the jobs that were never submitted in a warning.
func (f *Loop) Close() {
	if n := f.back.Len(); n > 0 {
		f.warnings.Count(workload.Warning{Rule: "preceding-never-ends", Count: int64(n),
			Text: "jobs left out of the simulation: the job that they wait for never ends"})
	}
}

// Arrive submits the jobs that are due, in order of time and then in the log's order.
// job.Submit is the simulated submission time, and stamp the one in the log. If submit returns
// false, Arrive stops and returns false.
func (f *Loop) Arrive(now float64, submit func(job *workload.Job, stamp float64, own int32) bool) bool {
	if f == nil {
		return true
	}
	for len(f.arrivals) > 0 && f.arrivals[0].At <= now {
		x := f.arrivals.Pop()
		h := f.back.At(x.Value)
		stamp := h.job.Submit
		h.job.MoveTo(x.At)
		if !submit(&h.job, stamp, h.link) {
			return false
		}
		f.back.Free(x.Value)
	}
	return true
}
