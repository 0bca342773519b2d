package inspect

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// maxBusySize is the size that a larger job is taken for, so that no sum
// overflows.
const maxBusySize = 1 << 32

// placed is a job with a known start and end.
type placed struct {
	submit, start, end float64
	size               int64
	row, line, id      int64
}

// busySweep goes through the starts and ends of the jobs in their order, and
// counts the processors that are busy. At one instant ends come before starts.
// Jobs come in any order within a window of submissions, as InOrder's do.
type busySweep struct {
	v     *validator
	found *check
	order *workload.OrderBuffer[placed]

	now    float64           // the last instant done
	next   heap.Heap[placed] // jobs under way, by their starts and ends that are to come
	busy   int64
	peak   int64   // of the present period of too many; 0 for none
	since  float64 // when it began
	first  *placed // the job that began it
	result Busy
	late   int64 // jobs out of order by more than the window
}

func newBusySweep(v *validator) *busySweep {
	b := &busySweep{v: v, found: v.byName["machine-over-full"], now: math.Inf(-1), result: Busy{PeakAt: stats.Number(math.NaN())}}
	b.order = workload.NewOrderBuffer(func(p *placed) float64 { return p.submit }, b.sweep)
	return b
}

// add takes the next job of the log.
func (b *busySweep) add(j *workload.Job) {
	size := j.Allocated
	if size == workload.Unknown {
		size = j.Processors
	}
	start, end := j.Start(), j.End()
	// Where something is unknown no comparison holds. Beyond latestTime a float64
	// no longer tells the end of one job from the start of the next.
	if !(math.Abs(j.Submit) <= latestTime && j.Wait >= 0 && j.Run > 0 && size > 0 && end > start && end <= math.MaxFloat64) {
		return
	}
	if b.v.double && j.IsPart() {
		return // the job's own record has the processors already
	}
	b.result.Placed++
	p := placed{j.Submit, start, end, min(size, maxBusySize), j.Row, b.v.log.Line(j.Row), j.ID}
	if !b.order.Add(p.submit, &p) {
		b.sweep(&p)
	}
}

// startsAfter is added to the row of a job that starts: at one instant starts come after
// ends, and both by their rows, which may be below 0.
const startsAfter = 1 << 62

// sweep does the instants before a submission, and lets the job start and end. A job submitted
// then may start at once, so that instant itself is not complete yet.
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

// instant ends and starts what does so at t.
func (b *busySweep) instant(t float64) {
	b.now = t
	r, most := &b.result, b.v.processors
	var first *placed // job that is too much
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

// end sweeps what is left.
func (b *busySweep) end() Busy {
	b.order.Finish()
	b.advance(math.Inf(1))
	r, c := &b.result, b.found
	if c.Count > 0 {
		c.Note = fmt.Sprintf("%s s in all; most %d processors at %s s", plain(float64(r.Seconds)), r.Peak, plain(float64(r.PeakAt)))
	}
	late := fmt.Sprintf("%d jobs left out, more than %d out of order", b.late, b.order.Window)
	switch {
	case b.late > 0 && c.Count > 0:
		c.Note += "; " + late
	case b.late > 0: // there is no finding that carries the note
		b.v.cannot(c, late, "")
	case r.Placed == 0:
		b.v.cannot(c, "no job has its submission, wait, run time and size", "")
	}
	r.PeakPct = stats.Number(100 * float64(r.Peak) / float64(b.v.processors))
	return *r
}
