package par

import (
	"context"
	"iter"
	goruntime "runtime"
	"sync"
	"sync/atomic"
)

// share is the number of goroutines that run at once for each core; 0 means 1.
var share atomic.Int64

// Workers returns n, or the number of cores that may be used if n < 1.
func Workers(n int) int {
	if n < 1 {
		return max(1, goruntime.GOMAXPROCS(0)/int(max(1, share.Load())))
	}
	return n
}

// AnswerFirst lets n goroutines run at once for each core, so that long computations do not delay
// short answers: the kernel switches threads sooner than Go, which lets a goroutine run for 10 ms.
// It does nothing if environment, the value of the variable GOMAXPROCS, is not empty. The result of
// Workers(0) does not change. Only the first call has an effect.
func AnswerFirst(n int, environment string) {
	if environment == "" && share.CompareAndSwap(0, int64(n)) {
		goruntime.GOMAXPROCS(n * goruntime.GOMAXPROCS(0))
	}
}

// result is the result of one call.
type result[Out any] struct {
	out      Out
	err      error
	panicked any // value of a panic; nil if there was none
}

// Map calls f on each element of in, on up to workers goroutines at once, and
// yields the results in the order of the input. At most twice workers elements
// are being processed or waiting to be yielded. in is iterated in one goroutine
// that is not the caller's. An error of in or of f is yielded in its place and
// ends the stream, as does a consumer that stops. When the iteration has ended, in
// is no longer in use and no goroutine is left. Results that were computed but not
// yielded are passed to drop, which may be nil.
func Map[In, Out any](workers int, in iter.Seq2[In, error], f func(In) (Out, error), drop func(Out)) iter.Seq2[Out, error] {
	workers = Workers(workers)
	return func(yield func(Out, error) bool) {
		type task struct {
			in  In
			out chan result[Out]
		}
		var (
			tasks = make(chan task)
			order = make(chan chan result[Out], 2*workers-1)
			stop  = make(chan struct{})
			done  sync.WaitGroup
		)
		done.Go(func() { // the feeder
			defer close(order)
			defer close(tasks)
			defer func() {
				if p := recover(); p != nil {
					slot := make(chan result[Out], 1)
					slot <- result[Out]{panicked: p}
					select {
					case order <- slot:
					case <-stop:
					}
				}
			}()
			for x, err := range in {
				slot := make(chan result[Out], 1)
				if err != nil {
					slot <- result[Out]{err: err}
				}
				select {
				case order <- slot:
				case <-stop:
					return
				}
				if err != nil {
					return
				}
				select {
				case tasks <- task{x, slot}:
				case <-stop:
					// The slot is already in order, and the drain loop waits for its result.
					var none Out
					slot <- result[Out]{out: none, err: errStopped}
					return
				}
				select { // if both cases above were ready, stop may not have been selected
				case <-stop:
					return
				default:
				}
			}
		})
		for range workers {
			done.Go(func() {
				for t := range tasks {
					t.out <- call(f, t.in)
				}
			})
		}
		defer func() {
			close(stop)
			for slot := range order {
				if r := <-slot; drop != nil && r.err == nil && r.panicked == nil {
					drop(r.out)
				}
			}
			done.Wait()
		}()
		for slot := range order {
			r := <-slot
			if r.panicked != nil {
				panic(r.panicked)
			}
			if !yield(r.out, r.err) || r.err != nil {
				return
			}
		}
	}
}

type stopped struct{}

func (stopped) Error() string { return "stopped" }

var errStopped error = stopped{}

func call[In, Out any](f func(In) (Out, error), x In) (r result[Out]) {
	defer func() {
		if p := recover(); p != nil {
			r.panicked = p
		}
	}()
	r.out, r.err = f(x)
	return r
}

// Numbers yields 0 to n-1. If ctx is done, it yields the context's error and ends.
func Numbers[N int | int64](ctx context.Context, n N) iter.Seq2[N, error] {
	return func(yield func(N, error) bool) {
		for i := N(0); i < n; i++ {
			if err := ctx.Err(); !yield(i, err) || err != nil {
				return
			}
		}
	}
}

// Each calls f(0) to f(n-1) on up to workers goroutines, each index once, and
// returns when all are done. A panic is raised again in the caller.
func Each(workers, n int, f func(i int)) {
	workers = min(Workers(workers), n)
	if workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var (
		next     atomic.Int64
		done     sync.WaitGroup
		once     sync.Once
		panicked any
	)
	for range workers {
		done.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					once.Do(func() { panicked = p })
					next.Store(int64(n))
				}
			}()
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	done.Wait()
	if panicked != nil {
		panic(panicked)
	}
}

// Run calls f(0) to f(n-1) as Each does, until ctx is done or a call fails; after a failure it
// begins only calls of lower indices. It returns when all calls that have begun have ended. The
// error is that of the lowest index that fails, which does not depend on the number of workers,
// or the cause of ctx.
func Run(ctx context.Context, workers, n int, f func(i int) error) error {
	errs := make([]error, n)
	var failed atomic.Int64 // the lowest index that has failed
	failed.Store(int64(n))
	Each(workers, n, func(i int) {
		if int64(i) > failed.Load() {
			return
		}
		if errs[i] = context.Cause(ctx); errs[i] == nil {
			errs[i] = f(i)
		}
		for lowest := failed.Load(); errs[i] != nil && int64(i) < lowest && !failed.CompareAndSwap(lowest, int64(i)); {
			lowest = failed.Load()
		}
	})
	if first := failed.Load(); first < int64(n) {
		return errs[first]
	}
	return nil
}
