package reshape

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Load is the work of a log's jobs and the time in which they are submitted. Use NewLoad.
type Load struct {
	Jobs  int64
	Work  float64 // processor seconds, over jobs with known size and positive run time
	First float64 // s, first submission; +Inf where none is known
	Last  float64 // s, last submission; -Inf where none is known
	Whole bool    // all submissions are at whole seconds
}

// NewLoad returns the load of no jobs.
func NewLoad() *Load { return &Load{First: math.Inf(1), Last: math.Inf(-1), Whole: true} }

// MeasureLoad reads a log once.
func MeasureLoad(jobs workload.JobSeq) (*Load, error) {
	l := NewLoad()
	for _, err := range l.Through(jobs) {
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Add counts a job.
func (l *Load) Add(j *workload.Job) {
	l.Jobs++
	if !math.IsNaN(j.Submit) {
		l.First, l.Last = min(l.First, j.Submit), max(l.Last, j.Submit)
		l.Whole = l.Whole && j.Submit == math.Trunc(j.Submit)
	}
	if j.Size != workload.Unknown && j.Run > 0 {
		l.Work += float64(j.Size) * j.Run
	}
}

// Through passes jobs on and counts them.
func (l *Load) Through(jobs workload.JobSeq) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil {
				l.Add(&j)
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
	}
}

// Offered returns the offered load of a machine: Work divided by what its processors could
// do from the first to the last submission. It is NaN if that is unknown or 0.
func (l *Load) Offered(processors int64) float64 {
	if span := l.Last - l.First; span > 0 && l.Work > 0 && processors > 0 {
		return l.Work / (float64(processors) * span)
	}
	return math.NaN()
}

// checkOffered returns the log's offered load, or an error where load scaling
// has no meaning.
func (l *Load) checkOffered(processors int64, target float64) (float64, error) {
	now := l.Offered(processors)
	switch {
	case !(target > 0) || math.IsInf(target, 0):
		return 0, fmt.Errorf("a load of %g, want a positive number", target)
	case processors < 1:
		return 0, fmt.Errorf("a machine of %d processors, want 1 or more", processors)
	case math.IsNaN(now) || math.IsInf(now, 0):
		if math.IsInf(l.Work, 1) {
			return 0, fmt.Errorf("the log's load is not known: its %d jobs have more than 1.8e308 processor seconds of work; want run times that add up to a number", l.Jobs)
		}
		return 0, fmt.Errorf("the log's load is not known: %d jobs with %g processor seconds of work; want some of known size and run time, submitted at two moments at least", l.Jobs, l.Work)
	case math.IsInf(target/now, 0):
		return 0, fmt.Errorf("the log's load is %g: %g is more than 1.8e308 times as much; its jobs are submitted from %g s to %g s, want a shorter time", now, target, l.First, l.Last)
	}
	return now, nil
}
