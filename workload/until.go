package workload

import (
	"context"
	"iter"
)

// Until returns a stream that ends with the context's error soon after the context is done:
// within a few batches or jobs.
func Until[T any](ctx context.Context, in iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		n := 0
		for x, err := range in {
			if n++; n%16 == 1 && ctx.Err() != nil {
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
