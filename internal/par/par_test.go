package par

import (
	"context"
	"errors"
	"fmt"
	"iter"
	goruntime "runtime"
	"sync/atomic"
	"testing"
	"time"
)

var errTest = errors.New("test")

// count yields 0 to n-1, then err unless it is nil. It counts the values requested in pulled.
func count(n int, err error, pulled *atomic.Int64) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if pulled != nil {
				pulled.Add(1)
			}
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

// noLeak fails if more goroutines run at the end of a test than at its beginning.
func noLeak(t *testing.T) {
	t.Helper()
	before := goruntime.NumGoroutine()
	t.Cleanup(func() {
		for range 100 {
			if goruntime.NumGoroutine() <= before {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Errorf("%d goroutines at the end, %d before", goruntime.NumGoroutine(), before)
	})
}

// uneven makes the first calls take longest, so that results are not in order by chance.
func uneven(i int) {
	for range (20 - min(i, 20)) * 10 {
		goruntime.Gosched()
	}
}

func TestMapKeepsOrder(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		for _, n := range []int{0, 1, 2, 1000} {
			t.Run(fmt.Sprintf("workers=%d/n=%d", workers, n), func(t *testing.T) {
				noLeak(t)
				next := 0
				square := func(i int) (int, error) { uneven(i); return i * i, nil }
				for x, err := range Map(workers, count(n, nil, nil), square, nil) {
					if err != nil {
						t.Fatal(err)
					}
					if x != next*next {
						t.Fatalf("got %d in place %d", x, next)
					}
					next++
				}
				if next != n {
					t.Errorf("%d results of %d", next, n)
				}
			})
		}
	}
}

// An error or a panic of the function, the input or the consumer occurs once, in its place in the
// order.
func TestMapFaultsComeInTheirPlace(t *testing.T) {
	panics := func(yield func(int, error) bool) {
		for i := range 7 {
			if !yield(i, nil) {
				return
			}
		}
		panic("input")
	}
	works := func(i int) (int, error) { return i, nil }
	fails := func(i int) (int, error) {
		uneven(i)
		if i == 30 || i == 31 {
			return 0, fmt.Errorf("%w at %d", errTest, i)
		}
		return i, nil
	}
	panicsAt5 := func(i int) (int, error) {
		if i == 5 {
			panic("worker")
		}
		return i, nil
	}
	for _, c := range []struct {
		name string
		in   iter.Seq2[int, error]
		f    func(int) (int, error)
		good int
		want string
	}{
		{"of the function", count(100, nil, nil), fails, 30, "test at 30"},
		{"of the input", count(25, errTest, nil), works, 25, "test"},
		{"of the input alone", count(0, errTest, nil), works, 0, "test"},
		{"of the function before the input's", count(40, errTest, nil), fails, 30, "test at 30"},
		{"a worker's panic", count(100, nil, nil), panicsAt5, 5, "worker"},
		{"the input's panic", panics, works, 7, "input"},
		{"the consumer's panic", count(100, nil, nil), works, 50, "consumer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			noLeak(t)
			good := 0
			var faults []any
			p := panicOf(func() {
				for x, err := range Map(3, c.in, c.f, nil) {
					switch {
					case err != nil:
						faults = append(faults, err) // nothing may follow
					case x != good:
						t.Errorf("%d in place %d", x, good)
					default:
						good++
					}
					if good == 50 {
						panic("consumer")
					}
				}
			})
			if p != nil {
				faults = append(faults, p)
			}
			if got := fmt.Sprint(faults); good != c.good || got != "["+c.want+"]" {
				t.Errorf("%d results and %s, want %d and %s", good, got, c.good, c.want)
			}
		})
	}
}

func TestMapStopsEarlyAndDropsTheRest(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		for _, stopAt := range []int{0, 1, 10} {
			t.Run(fmt.Sprintf("workers=%d/stop=%d", workers, stopAt), func(t *testing.T) {
				noLeak(t)
				var made, dropped, pulled atomic.Int64
				f := func(i int) (int, error) { made.Add(1); return i, nil }
				drop := func(int) { dropped.Add(1) }
				yielded := int64(0)
				for range Map(workers, count(1_000_000, nil, &pulled), f, drop) {
					yielded++
					if yielded > int64(stopAt) {
						break
					}
				}
				if made.Load() != yielded+dropped.Load() {
					t.Errorf("%d made, %d yielded, %d dropped", made.Load(), yielded, dropped.Load())
				}
				// The limit that Map documents.
				if most := yielded + int64(2*workers); pulled.Load() > most {
					t.Errorf("%d pulled for %d yielded, want at most %d", pulled.Load(), yielded, most)
				}
			})
		}
	}
}

// panicOf returns the value with which f panics.
func panicOf(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

// TestEach checks that every index is called once, and that a panic is propagated.
func TestEach(t *testing.T) {
	if p := panicOf(func() { Each(3, 100, func(i int) { panic("each") }) }); p != "each" {
		t.Errorf("panic %v", p)
	}
	for _, workers := range []int{0, 1, 2, 7, 100} {
		for _, n := range []int{0, 1, 5, 1000} {
			noLeak(t)
			calls := make([]atomic.Int64, n)
			Each(workers, n, func(i int) { uneven(i); calls[i].Add(1) })
			for i := range calls {
				if c := calls[i].Load(); c != 1 {
					t.Errorf("workers=%d n=%d: index %d called %d times", workers, n, i, c)
				}
			}
		}
	}
}

// AnswerFirst raises the number of goroutines that run at once, but not the number of workers.
func TestAnswerFirst(t *testing.T) {
	procs := goruntime.GOMAXPROCS(0)
	defer func() {
		goruntime.GOMAXPROCS(procs)
		share.Store(0)
	}()
	AnswerFirst(4, "2")
	if got := goruntime.GOMAXPROCS(0); got != procs {
		t.Errorf("%d at once although the environment sets the number, want %d", got, procs)
	}
	AnswerFirst(4, "")
	AnswerFirst(4, "")
	if got := goruntime.GOMAXPROCS(0); got != 4*procs || Workers(0) != procs {
		t.Errorf("%d at once and %d workers, want %d and %d", got, Workers(0), 4*procs, procs)
	}
}

// TestRun checks that of several errors the one with the lowest index is returned, and that calls
// long after it are not started; nor are any once the context is done.
func TestRun(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		begun := make([]atomic.Bool, 1000)
		err := Run(t.Context(), workers, len(begun), func(i int) error {
			begun[i].Store(true)
			uneven(i)
			if i%10 == 3 {
				return fmt.Errorf("%d", i)
			}
			return nil
		})
		if err == nil || err.Error() != "3" || !begun[2].Load() || begun[999].Load() {
			t.Errorf("%d workers: %v", workers, err)
		}
		if err := Run(t.Context(), workers, 5, func(int) error { return nil }); err != nil {
			t.Errorf("%d workers: %v", workers, err)
		}
		ctx, stop := context.WithCancelCause(t.Context())
		calls := atomic.Int64{}
		err = Run(ctx, workers, 1000, func(i int) error {
			if calls.Add(1) == 20 {
				stop(errTest)
			}
			return nil
		})
		if err != errTest || calls.Load() > 30 {
			t.Errorf("%d workers: %v after %d calls", workers, err, calls.Load())
		}
	}
}
