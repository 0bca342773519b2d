package progress

import (
	"iter"
	"path/filepath"
	"sync/atomic"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Work is a task of size parts of a unit (0 where that is not known: then it is not
// shown before its first part is done). one counts a part, from any goroutine, and
// is nil where nobody looks; end ends the task.
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

// Watch returns what shows how many of a log's jobs have been passed on, once
// the log has been read.
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

// Counted is a pass over n jobs, with a task of its own.
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

// tally counts what passes.
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
