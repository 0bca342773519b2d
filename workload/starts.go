package workload

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// StartsWatch recognises a log whose submission times are really the starts of the jobs, because
// the machine recorded no others. On a busy machine, users submit many jobs that do not fit next
// to the earlier jobs that have not ended; a machine starts only jobs that fit. In logs with
// real submissions, 41 to 83 % of the jobs submitted at high use do not fit; if the submissions
// are starts, it is 0 to 6 %, or 12 % in a log whose machine is overbooked.
//
// A log in which jobs wait is never recognised. Nothing can be concluded from a machine that is
// seldom busy.
type StartsWatch struct {
	processors int64
	order      *OrderBuffer[startsJob]
	ends       heap.Times[int64] // processors of the jobs that have not ended
	busy       int64             // processors in use
	jobs       int64
	waited     int64 // jobs that waited
	high       int64 // jobs submitted while at least highUse of the machine was in use
	unfit      int64 // number of those that did not fit
	done       bool  // too many jobs waited, or the machine is unknown
}

const (
	// StartsRule is the Rule of StartsWatch's Warning.
	StartsRule = "submissions-are-starts"

	highUse     = .8
	leastHigh   = 200 // minimum number of jobs at high use
	leastHighOf = .05 // minimum share of all jobs at high use
	mostUnfit   = .1  // maximum share of the jobs at high use that do not fit
	mostWaited  = .01 // maximum share of all jobs that wait
	graceWaited = 100 // waiting jobs tolerated beyond mostWaited while jobs are added
)

type startsJob struct {
	submit, end float64
	size        int64
}

// NewStartsWatch returns a watch for the log of a machine with that many processors. If
// processors is below 1, the machine is unknown and nothing is recognised.
func NewStartsWatch(processors int64) *StartsWatch {
	w := &StartsWatch{processors: processors, done: processors < 1}
	w.order = NewOrderBuffer(func(j *startsJob) float64 { return j.submit }, w.submit)
	return w
}

// Add adds the next job: its submission, wait and run time in s, NaN if unknown, and its
// processors.
func (w *StartsWatch) Add(submit, wait, run float64, size int64) {
	if w.done || !(math.Abs(submit) <= 1e15 && run > 0 && run <= 1e15) || size < 1 {
		return
	}
	w.jobs++
	if wait > 0 {
		w.waited++
		w.done = float64(w.waited) > graceWaited+mostWaited*float64(w.jobs)
	}
	j := startsJob{submit, submit + run, min(size, 1<<32)}
	w.order.Add(submit, &j)
}

// AddJob is like Add for a Job.
func (w *StartsWatch) AddJob(j *Job) { w.Add(j.Submit, j.Wait, j.Run, j.Size) }

// submit processes the next job in order of submission. It returns false once the watch is done.
func (w *StartsWatch) submit(j *startsJob) bool {
	for len(w.ends) > 0 && w.ends[0].At <= j.submit {
		w.busy -= w.ends.Pop().Value
	}
	if float64(w.busy) >= highUse*float64(w.processors) {
		w.high++
		if w.busy+j.size > w.processors {
			w.unfit++
		}
	}
	w.busy += j.size
	w.ends.Push(heap.Time[int64]{Value: j.size, At: j.end})
	return !w.done
}

// Fitting returns the number of jobs that were submitted at high use and fitted, if the log's
// submissions seem to be starts; otherwise 0. No job can be added afterwards.
func (w *StartsWatch) Fitting() int64 {
	w.order.Finish()
	high := float64(w.high)
	if w.done || high < max(leastHigh, leastHighOf*float64(w.jobs)) || float64(w.unfit) > mostUnfit*high || float64(w.waited) > mostWaited*float64(w.jobs) {
		return 0
	}
	return w.high - w.unfit
}

// Warnings returns a warning if the log's submissions seem to be starts. No job can be added
// afterwards.
func (w *StartsWatch) Warnings() []Warning {
	fit := w.Fitting()
	if fit == 0 {
		return nil
	}
	return []Warning{{Rule: StartsRule, Count: 1, Text: fmt.Sprintf(
		"submission times look like start times: no job waits, and %.3g %% of the %d jobs submitted while at least %.0f %% of the machine was in use fitted at once; "+
			"simulations of this log give waits that are far too short, and jobs generated from its model or twin wait far longer than jobs on this machine did",
		100*float64(fit)/float64(w.high), w.high, 100*highUse)}}
}
