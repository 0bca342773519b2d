package workload

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// StartsWatch recognises a log whose submissions are the jobs' starts, as some machines
// recorded no others. On a busy machine users submit many jobs that do not fit beside those that
// were submitted before and have not ended; a machine starts only jobs that fit. On logs with
// real submissions 41 to 83 % of the jobs submitted at high use do not fit; of starts it is
// 0 to 6 %, 12 % in a log whose machine is overbooked.
//
// A log in which jobs wait is none of these, and one of a machine that is seldom busy tells
// nothing.
type StartsWatch struct {
	processors int64
	order      *OrderBuffer[startsJob]
	ends       heap.Times[int64] // processors of the jobs under way
	busy       int64
	jobs       int64
	waited     int64 // of these, jobs that waited
	high       int64 // jobs submitted while at least highUse of the machine is in use
	unfit      int64 // of these, jobs that did not fit
	done       bool  // too many waited
}

const (
	// StartsRule is the Rule of StartsWatch's Warning.
	StartsRule = "submissions-are-starts"

	highUse     = .8
	leastHigh   = 200 // jobs at high use, and
	leastHighOf = .05 // of all jobs
	mostUnfit   = .1  // of the jobs at high use
	mostWaited  = .01 // of all jobs
	graceWaited = 100 // jobs that may wait before that is asked
)

type startsJob struct {
	submit, end float64
	size        int64
}

// NewStartsWatch returns a watch for a log of a machine; processors below 1 are unknown, and
// nothing is recognised.
func NewStartsWatch(processors int64) *StartsWatch {
	w := &StartsWatch{processors: processors, done: processors < 1}
	w.order = NewOrderBuffer(func(j *startsJob) float64 { return j.submit }, w.submit)
	return w
}

// Add takes the next job: its submission, wait and run time, s, NaN where unknown, and its
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

// AddJob adds a job.
func (w *StartsWatch) AddJob(j *Job) { w.Add(j.Submit, j.Wait, j.Run, j.Size) }

// submit takes the next job by submission.
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

// Fitting returns the number of jobs that were submitted at high use and fitted, where the log's
// submissions seem to be its starts; else 0. No job can be added afterwards.
func (w *StartsWatch) Fitting() int64 {
	w.order.Finish()
	high := float64(w.high)
	if w.done || high < max(leastHigh, leastHighOf*float64(w.jobs)) || float64(w.unfit) > mostUnfit*high || float64(w.waited) > mostWaited*float64(w.jobs) {
		return 0
	}
	return w.high - w.unfit
}

// Warnings returns a warning where the log's submissions seem to be its starts.
func (w *StartsWatch) Warnings() []Warning {
	fit := w.Fitting()
	if fit == 0 {
		return nil
	}
	return []Warning{{Rule: StartsRule, Count: 1, Text: fmt.Sprintf(
		"the submissions seem to be the jobs' starts: no job waits, and %.3g %% of the %d jobs submitted while the machine was in use by %.0f %% or more fitted at once; "+
			"what is simulated from this log waits far too little, and jobs drawn from a model or a twin of it wait far longer than this machine's did",
		100*float64(fit)/float64(w.high), w.high, 100*highUse)}}
}
