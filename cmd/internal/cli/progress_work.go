package cli

import (
	"iter"
	"path/filepath"
	"sync/atomic"

	"github.com/loadstone-hpc/loadstone/workload"
)

// shows says whether somebody looks at the progress.
func (a *app) shows() bool { return a.progress != nil && !a.quiet }

// work is a task of size parts of a unit (0 where that is not known). one
// counts a part, from any goroutine, and is nil where nobody looks; end ends
// the task.
func (a *app) work(label, unit string, size int) (one, end func()) {
	if !a.shows() {
		return nil, func() {}
	}
	var done atomic.Int64
	end = a.begin(&task{label, unit, func() (int64, int64) { return done.Load(), int64(size) }})
	return func() { done.Add(1) }, end
}

// watch returns what shows how many of a log's jobs have been passed on, once
// the log has been read.
func (a *app) watch(log *workload.Log) func(iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return func(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
		if !a.shows() {
			return jobs
		}
		var done atomic.Int64
		counted := tally(jobs, &done)
		return func(yield func(workload.Job, error) bool) {
			end := a.begin(&task{"jobs of " + filepath.Base(log.Name), "jobs", func() (int64, int64) {
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

// counted is a pass over n jobs, with a task of its own.
func (a *app) counted(label string, n int, jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	if !a.shows() {
		return jobs
	}
	return func(yield func(workload.Job, error) bool) {
		one, end := a.work(label, "jobs", n)
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
