package cli

import (
	"context"
	"iter"

	"github.com/loadstone-hpc/loadstone/workload"
)

// open opens a log; "-" is the command's own standard input.
func (a *app) open(name string) (*workload.Log, error) {
	if name == "-" {
		return workload.OpenReader("-", a.In, workload.Options{})
	}
	return workload.Open(name, workload.Options{})
}

// until ends a stream when the context does.
func until[T any](ctx context.Context, in iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		n := 0
		for x, err := range in {
			if n++; n%1024 == 1 && ctx.Err() != nil {
				var none T
				yield(none, ctx.Err())
				return
			}
			if !yield(x, err) || err != nil {
				return
			}
		}
	}
}

// tally passes jobs through and counts them.
func tally(in iter.Seq2[workload.Job, error], n *int64) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range in {
			if err == nil {
				*n++
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

// countRows passes batches through and counts their jobs.
func countRows[T interface{ NumRows() int64 }](in iter.Seq2[T, error], n *int64) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for rec, err := range in {
			if err == nil {
				*n += rec.NumRows()
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}
