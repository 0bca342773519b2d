package progress

import (
	"iter"
	"path/filepath"
	"sync/atomic"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Work begins a task of size parts of a unit. If size is 0, it is unknown, and the task is not
// shown before its first part is done. one counts a part and may be called from any goroutine; it
// is nil if progress is not shown. end ends the task.
func (p *Line) Work(label, unit string, size int) (one, end func()) {
	if !p.Shown() {
		return nil, func() {}
	}
	var done atomic.Int64
	end = p.Begin(&Task{Label: label, Unit: unit, State: func() (int64, int64) {
		if parts := done.Load(); size > 0 || parts > 0 {
			return parts, int64(size)
		}
		return 0, notYet
	}})
	return func() { done.Add(1) }, end
}

// Watch returns a function that wraps a pass over a log's jobs to show how many have
// been passed on, once the log has been read.
func (p *Line) Watch(log *workload.Log) func(iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return func(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
		if !p.Shown() {
			return jobs
		}
		var done atomic.Int64
		counted := tally(jobs, &done)
		return func(yield func(workload.Job, error) bool) {
			end := p.Begin(&Task{Label: "jobs of " + filepath.Base(log.Name), Unit: "jobs", State: func() (int64, int64) {
				if at, size := log.Position(); at < size || size == 0 {
					return 0, notYet
				}
				return done.Load(), 0
			}})
			defer end()
			counted(yield)
		}
	}
}

// Counted wraps a pass over n jobs as a task.
func (p *Line) Counted(label string, n int, jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	if !p.Shown() {
		return jobs
	}
	return func(yield func(workload.Job, error) bool) {
		one, end := p.Work(label, "jobs", n)
		defer end()
		for j, err := range jobs {
			if !yield(j, err) {
				return
			}
			one()
		}
	}
}

// tally counts in n the values that pass.
func tally[T any](in iter.Seq2[T, error], n *atomic.Int64) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for x, err := range in {
			if !yield(x, err) {
				return
			}
			n.Add(1)
		}
	}
}
