package inspect

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// maxBusySize is the largest size of a job that is counted; larger jobs count as this size, so that
// no sum overflows.
const maxBusySize = 1 << 32

// placed is a job with a known start and end.
type placed struct {
	submit, start, end float64
	size               int64
	row, line, id      int64
}

// busySweep goes through the starts and ends of the jobs in order of time and counts the busy
// processors. At one instant, ends come before starts. Jobs may be out of order within a window of
// submissions, as in InOrder.
type busySweep struct {
	v     *validator
	found *check
	order *workload.OrderBuffer[placed]

	now    float64           // the last instant processed
	next   heap.Heap[placed] // jobs under way, by their next start or end
	busy   int64
	peak   int64   // peak of the current period with too many busy processors; 0 for none
	since  float64 // beginning of the period
	first  *placed // the job that began the period
	result Busy
	late   int64 // number of jobs out of order by more than the window
}

func newBusySweep(v *validator) *busySweep {
	b := &busySweep{v: v, found: v.byName["machine-over-full"], now: math.Inf(-1), result: Busy{PeakAt: stats.Number(math.NaN())}}
	b.order = workload.NewOrderBuffer(func(p *placed) float64 { return p.submit }, b.sweep)
	return b
}

// add adds the next job of the log.
func (b *busySweep) add(j *workload.Job) {
	size := j.Allocated
	if size == workload.Unknown {
		size = j.Processors
	}
	start, end := j.Start(), j.End()
	// Comparisons with an unknown value are false. Beyond latestTime, a float64 cannot distinguish
	// the end of one job from the start of the next.
	if !(math.Abs(j.Submit) <= latestTime && j.Wait >= 0 && j.Run > 0 && size > 0 && end > start && end <= math.MaxFloat64) {
		return
	}
	if b.v.double && j.IsPart() {
		return // its processors are counted in the job's own record
	}
	b.result.Placed++
	p := placed{j.Submit, start, end, min(size, maxBusySize), j.Row, b.v.log.Line(j.Row), j.ID}
	if !b.order.Add(p.submit, &p) {
		b.sweep(&p)
	}
}

// startsAfter is added to the row in the key of a job that starts. At one instant, starts come
// after ends, and both are in the order of rows, which may be negative.
const startsAfter = 1 << 62

// sweep processes the instants before the submission of p and adds p to the jobs under way. A job
// that is submitted at that instant may start at once, so the instant itself is not complete yet.
func (b *busySweep) sweep(p *placed) bool {
	b.advance(p.submit)
	if p.start <= b.now {
		b.late++
		b.result.Placed--
		return true
	}
	b.next.Push(heap.Item[placed]{At: p.start, Seq: startsAfter + p.row, Value: *p})
	return true
}

func (b *busySweep) advance(until float64) {
	for len(b.next) > 0 && b.next[0].At < until {
		b.instant(b.next[0].At)
	}
}

// instant processes the ends and starts of jobs at t.
func (b *busySweep) instant(t float64) {
	b.now = t
	r, most := &b.result, b.v.processors
	var first *placed // the first job for which there are not enough processors
	for len(b.next) > 0 && b.next[0].At == t {
		e := b.next.Pop()
		p := &e.Value
		if e.Seq < startsAfter/2 {
			b.busy -= p.size
			continue
		}
		b.busy += p.size
		if b.busy > most && first == nil {
			first = p
		}
		b.next.Push(heap.Item[placed]{At: p.end, Seq: p.row, Value: *p})
	}
	if b.busy > r.Peak {
		r.Peak, r.PeakAt = b.busy, stats.Number(t)
	}
	if b.busy > most {
		b.found.Count++
		r.Moments++
		if b.peak == 0 {
			b.since, b.first = t, first
		}
		b.peak = max(b.peak, b.busy)
	} else if b.peak > 0 { // a period ends
		r.Seconds += stats.Number(t - b.since)
		if b.v.keeps(b.found) {
			saw := fmt.Sprintf("%d busy, from %s s for %s s", b.peak, plain(b.since), plain(t-b.since))
			b.found.Places = append(b.found.Places, placeOf(b.first.row, b.first.line, b.first.id, b.found.Field, saw, fmt.Sprintf("%d at most", most)))
		}
		b.peak = 0
	}
}

// end processes the remaining instants and returns the result.
func (b *busySweep) end() Busy {
	b.order.Finish()
	b.advance(math.Inf(1))
	r, c := &b.result, b.found
	if c.Count > 0 {
		c.Note = fmt.Sprintf("%s s in total; peak of %d processors at %s s", plain(float64(r.Seconds)), r.Peak, plain(float64(r.PeakAt)))
	}
	late := fmt.Sprintf("%d jobs left out, more than %d out of order", b.late, b.order.Window)
	switch {
	case b.late > 0 && c.Count > 0:
		c.Note += "; " + late
	case b.late > 0: // there is no finding for the note
		b.v.cannot(c, late, "")
	case r.Placed == 0:
		b.v.cannot(c, "no job has its submission, wait, run time and size", "")
	}
	r.PeakPct = stats.Number(100 * float64(r.Peak) / float64(b.v.processors))
	return *r
}
