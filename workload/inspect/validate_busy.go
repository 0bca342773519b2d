package inspect

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// maxUnderWay is how many jobs may be waiting or running at a time, and
	// each takes some 90 bytes: beyond it the sweep gives up.
	maxUnderWay = 1 << 19
	// maxBusySize is the size that a larger job is taken for, so that no sum
	// overflows.
	maxBusySize = 1 << 32
)

// placed is a job with a known start and end.
type placed struct {
	submit, start, end float64
	size               int64
	row, line, id      int64
	instants           int64 // busySweep.instants when it started
}

// busySweep goes through the starts and ends of the jobs in their order, and
// counts the processors that are busy. At one instant ends come before starts.
// Jobs come in any order within a window of submissions, as InOrder's do.
type busySweep struct {
	v     *validator
	most  int64 // the machine's processors
	limit int   // of jobs under way

	order *workload.OrderBuffer[placed]

	now      float64          // the last instant done
	jobs     []placed         // under way, by slot
	free     []int32          // slots to use again
	next     heap.Heap[int32] // slots of the jobs, by their starts and ends that are to come
	busy     int64
	instants int64 // at which too many were busy
	over     bool
	since    float64 // when it began
	open     int     // place of the present period, -1 for none
	peak     int64   // of the present period
	result   Busy
	late     int64  // jobs out of order by more than the window
	gaveUp   string // why
}

func newBusySweep(v *validator) *busySweep {
	b := &busySweep{v: v, most: v.limits.processors, limit: maxUnderWay, open: -1, now: math.Inf(-1), result: Busy{PeakAt: stats.Number(math.NaN())}}
	b.order = workload.NewOrderBuffer(func(p *placed) float64 { return p.submit }, b.sweep)
	return b
}

// add takes the next job of the log.
func (b *busySweep) add(j *workload.Job) {
	size := j.Allocated
	if size == workload.Unknown {
		size = j.Processors
	}
	start := j.Submit + j.Wait
	end := start + j.Run
	// Where something is unknown no comparison holds. Beyond latestTime a float64
	// no longer tells the end of one job from the start of the next.
	if !(math.Abs(j.Submit) <= latestTime && j.Wait >= 0 && j.Run > 0 && size > 0 && end > start && end <= math.MaxFloat64 && start >= -math.MaxFloat64) || b.gaveUp != "" {
		return
	}
	if b.v.limits.double && j.Status >= workload.StatusPartial && j.Status <= workload.StatusLastFailed {
		return // the job's own record has the processors already
	}
	b.result.Placed++
	p := placed{j.Submit, start, end, min(size, maxBusySize), j.Row, b.v.log.Line(j.Row), j.ID, 0}
	if !b.order.Add(p.submit, &p) {
		b.sweep(&p)
	}
}

// sweep goes on to the submission of a job, and lets it start and end. It returns
// false where that is given up.
func (b *busySweep) sweep(p *placed) bool {
	b.advance(p.submit)
	if p.start <= b.now {
		b.late++
		b.result.Placed--
		return true
	}
	if len(b.jobs)-len(b.free) == b.limit {
		b.gaveUp = fmt.Sprintf("more than %d jobs under way at %s s: not checked from there on", b.limit, plain(b.now))
		for _, h := range b.next {
			if h.Seq < startsAfter/2 && b.instants > b.jobs[h.Value].instants {
				b.result.Jobs++
			}
		}
		b.jobs, b.next = nil, nil
		return false
	}
	slot := int32(len(b.jobs))
	if n := len(b.free); n > 0 {
		slot, b.free = b.free[n-1], b.free[:n-1]
		b.jobs[slot] = *p
	} else {
		b.jobs = append(b.jobs, *p)
	}
	b.next.Push(heap.Item[int32]{At: p.start, Seq: startsAfter + p.row, Value: slot})
	return true
}

// startsAfter is added to the row of a job that starts: at one instant starts come after
// ends, and both by their rows, which may be below 0.
const startsAfter = 1 << 62

// advance does the instants before a submission: a job submitted then may
// start at once, so that instant itself is not complete yet.
func (b *busySweep) advance(until float64) {
	for len(b.next) > 0 && b.next[0].At < until {
		b.instant(b.next[0].At)
	}
}

// instant ends and starts what does so at t.
func (b *busySweep) instant(t float64) {
	b.now = t
	first := int32(-1) // job that is too much
	for len(b.next) > 0 && b.next[0].At == t {
		h := b.next.Pop()
		p := &b.jobs[h.Value]
		if h.Seq < startsAfter/2 {
			b.busy -= p.size
			if b.instants > p.instants {
				b.result.Jobs++
			}
			b.free = append(b.free, h.Value)
			continue
		}
		b.busy += p.size
		if b.busy > b.most && first < 0 {
			first = h.Value
		}
		p.instants = b.instants
		b.next.Push(heap.Item[int32]{At: p.end, Seq: p.row, Value: h.Value})
	}
	if b.busy > b.result.Peak {
		b.result.Peak, b.result.PeakAt = b.busy, stats.Number(t)
	}
	over := b.busy > b.most
	if over {
		b.instants++
		b.v.found[ruleMachineOverFull].count++
	}
	switch {
	case over && !b.over:
		b.begin(t, &b.jobs[first])
	case !over && b.over:
		b.close(t)
	}
	b.over = over
	b.peak = max(b.peak, b.busy)
}

// begin notes where a period begins: at the job that is too much.
func (b *busySweep) begin(t float64, p *placed) {
	b.since, b.peak = t, b.busy
	b.result.Periods++
	if f := &b.v.found[ruleMachineOverFull]; f.on && len(f.places) < b.v.o.First {
		b.open = len(f.places)
		b.v.note(ruleMachineOverFull, p.row, p.line, p.id, b.v.rules[ruleMachineOverFull].Field, "", "")
	}
}

// close ends a period, and its place can say how bad it was.
func (b *busySweep) close(t float64) {
	b.result.Seconds += stats.Number(t - b.since)
	if b.open >= 0 {
		p := &b.v.found[ruleMachineOverFull].places[b.open]
		p.Saw = fmt.Sprintf("%d busy, from %s s for %s s", b.peak, plain(b.since), plain(t-b.since))
		p.Want = whole(b.most) + " at most"
		b.open = -1
	}
}

// end sweeps what is left.
func (b *busySweep) end() Busy {
	b.order.Finish()
	b.advance(math.Inf(1))
	f := &b.v.found[ruleMachineOverFull]
	b.result.Moments = b.instants
	if b.over { // only where the sweep gave up
		b.close(b.now)
	}
	r := &b.result
	switch {
	case f.count > 0:
		f.note = fmt.Sprintf("%d periods, %s s in all; %d jobs ran in them; most %d processors at %s s",
			r.Periods, plain(float64(r.Seconds)), r.Jobs, r.Peak, plain(float64(r.PeakAt)))
	case r.Placed == 0:
		b.v.cannot(ruleMachineOverFull, "no job has its submission, wait, run time and size")
	}
	if b.late > 0 {
		b.remark(f, fmt.Sprintf("%d jobs left out, more than %d out of order", b.late, b.order.Window))
	}
	if b.gaveUp != "" {
		b.remark(f, b.gaveUp)
	}
	r.PeakPct = stats.Number(100 * float64(r.Peak) / float64(b.most))
	return *r
}

// remark adds to the note; where there is no finding that carries it, the rule
// counts as one that was not checked.
func (b *busySweep) remark(f *found, what string) {
	if f.count == 0 {
		b.v.cannot(ruleMachineOverFull, what)
		return
	}
	f.note += "; " + what
}
