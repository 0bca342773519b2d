package sched

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/internal/slots"
	"github.com/loadstone-hpc/loadstone/workload"
)

// LongestThink is the longest think time, in seconds, that feedback takes for a
// wait for the preceding job: a week. How long an ended job is remembered
// follows from it.
const LongestThink = 7 * 86400

// Delayer is an Observer that is also told of each job that Config.Feedback
// submits later than the log does.
type Delayer interface {
	Observer
	// Delayed is called at the submission, whose time is job.Submit; submit is
	// the log's, in seconds.
	Delayed(job *workload.Request, submit float64)
}

// feedback holds jobs back until the job that each waits for has ended and its
// think time has passed.
type feedback struct {
	warnings *workload.Warnings
	links    slots.Table[link]
	byNumber map[int64]int32 // link of a job under way or remembered, by its number
	ended    queueOfLinks    // in the order of the ends
	past     numberSet       // jobs that ended and are remembered no longer

	back     slots.Table[heldBack]
	arrivals heap.Heap[int32] // slots of back whose submission time is known
	position int64            // of the next job in the log
}

// link is a job that others may wait for.
type link struct {
	number int64   // Request.ID
	end    float64 // s, NaN before it has ended
	first  int32   // slot of a job held back for it, the others by heldBack.next; -1
}

// heldBack is a job that is not submitted yet. Its Submit is the log's.
type heldBack struct {
	job      workload.Job
	site     *site
	position int64 // in the log
	link     int32
	next     int32 // slot of another job that waits for the same one, -1
}

// never is no link and no slot.
const never = -1

func newFeedback(w *workload.Warnings) *feedback {
	if w == nil {
		w = new(workload.Warnings)
	}
	return &feedback{warnings: w, byNumber: map[int64]int32{}}
}

// take reads a job at the log's submission time, to which the simulation has come:
// whatever it waits for, it is not submitted before. It returns the job's link, and
// whether the job is held back.
func (f *feedback) take(j *workload.Job, m *site) (own int32, held bool) {
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
	h := heldBack{job: *j, site: m, position: f.position, link: own, next: never}
	if before == never {
		f.arrivals.Push(heap.Item[int32]{At: at, Seq: f.position, Value: f.back.Put(&h)})
		return own, true
	}
	x := f.links.At(before)
	h.next = x.first
	x.first = f.back.Put(&h)
	return own, true
}

// due returns the link of the job that a job waits for or, where there is none,
// never and the time from which on the job may be submitted.
func (f *feedback) due(j *workload.Job) (at float64, before int32) {
	if j.Think > LongestThink {
		f.warnings.Add("think-time-long", "jobs submitted at their own time: their think time is longer than a week, which is no wait for the preceding job", 0, j.Label())
		return j.Submit, never
	}
	before, known := f.byNumber[j.Preceding]
	if !known {
		if !f.past.has(j.Preceding) {
			f.warnings.Add("preceding-missing", "jobs submitted at their own time: the job that they wait for is not simulated before them (unknown, left out or later in the log)", 0, j.Label())
		}
		return j.Submit, never
	}
	if x := f.links.At(before); !math.IsNaN(x.end) {
		return after(j, x.end), never
	}
	return 0, before
}

// after is when a job has thought about one with that end.
func after(j *workload.Job, end float64) float64 {
	if j.Think > 0 { // unknown and negative are none
		return end + j.Think
	}
	return end
}

// enter notes a job for those that wait for it. Of jobs with one number the
// latest is meant.
func (f *feedback) enter(j *workload.Job) int32 {
	if j.ID == workload.Unknown {
		return never
	}
	own := f.links.Put(&link{number: j.ID, end: math.NaN(), first: never})
	f.byNumber[j.ID] = own
	return own
}

// finished is told that a job has ended. What ends at infinity lets nobody go.
func (f *feedback) finished(own int32, now float64) {
	if own == never || math.IsInf(now, 1) {
		return
	}
	x := f.links.At(own)
	x.end = now
	f.ended.push(own)
	for slot := x.first; slot != never; {
		h := f.back.At(slot)
		f.arrivals.Push(heap.Item[int32]{At: after(&h.job, now), Seq: h.position, Value: slot})
		slot, h.next = h.next, never
	}
	x.first = never
}

// forget lets go of the jobs that nobody waits for any more at a time.
func (f *feedback) forget(now float64) {
	for f.ended.n() > 0 {
		own := f.ended.first()
		x := f.links.At(own)
		if x.end+LongestThink >= now {
			return
		}
		f.ended.pop()
		f.past.add(x.number)
		if f.byNumber[x.number] == own {
			delete(f.byNumber, x.number)
		}
		f.links.Free(own)
	}
}

// first is when the next job that was held back is submitted, infinite where
// there is none.
func (f *feedback) first() float64 {
	if f == nil || len(f.arrivals) == 0 {
		return math.Inf(1)
	}
	return f.arrivals[0].At
}

// close counts the jobs that were never submitted.
func (f *feedback) close() {
	if n := f.back.Len(); n > 0 {
		f.warnings.Count(workload.Warning{Rule: "preceding-never-ends", Count: int64(n),
			Text: "jobs left out of the simulation: the job that they wait for never ends"})
	}
}

// arrive submits the jobs whose time has come, in the log's order.
func (s *simulation) arrive() bool {
	f := s.feedback
	if f == nil {
		return true
	}
	for len(f.arrivals) > 0 && f.arrivals[0].At <= s.now {
		x := f.arrivals.Pop()
		h := f.back.At(x.Value)
		stamp := h.job.Submit
		h.job.Submit = x.At
		if s.delayer != nil && x.At > stamp {
			s.delayer.Delayed(&h.job.Request, stamp)
		}
		if !s.submit(h.site, &h.job, h.link) {
			return false
		}
		f.back.Free(x.Value)
	}
	return true
}

// queueOfLinks is first in, first out.
type queueOfLinks struct {
	list []int32
	head int
}

func (q *queueOfLinks) n() int         { return len(q.list) - q.head }
func (q *queueOfLinks) first() int32   { return q.list[q.head] }
func (q *queueOfLinks) push(own int32) { q.list = append(q.list, own) }

func (q *queueOfLinks) pop() {
	if q.head++; q.head > len(q.list)/2 {
		q.list = q.list[:copy(q.list, q.list[q.head:])]
		q.head = 0
	}
}

// numberSet is a set of job numbers: a bit each, in words of 64 that follow each
// other.
type numberSet struct {
	words map[int64]uint64
	at    int64 // the word that was used last, which is not in words
	word  uint64
}

func (s *numberSet) add(number int64) {
	if at := number >> 6; at != s.at {
		if s.words == nil {
			s.words = map[int64]uint64{}
		}
		s.words[s.at] = s.word
		s.at, s.word = at, s.words[at]
	}
	s.word |= 1 << (number & 63)
}

func (s *numberSet) has(number int64) bool {
	word := s.word
	if at := number >> 6; at != s.at {
		word = s.words[at]
	}
	return word>>(number&63)&1 == 1
}
