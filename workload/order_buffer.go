package workload

import (
	"cmp"
	"math"
	"slices"
)

// OrderBuffer passes values on in order of submission; values with equal submission times
// keep their order. It holds at most twice Window values. A value that comes more than
// Window values late may be rejected.
type OrderBuffer[T any] struct {
	submit func(*T) float64
	to     func(*T) bool
	// Window is the number of values by which one may be late. It is OrderWindow unless
	// it is changed before the first Add.
	Window int
	held   []T
	sorted bool
	latest float64 // submission of the value held last
	passed float64 // submission of the value passed on last
	ended  bool
}

// NewOrderBuffer returns a buffer that passes values on to the function to, until it returns
// false. submit returns the submission time of a value, in any unit; it must not be NaN.
func NewOrderBuffer[T any](submit func(*T) float64, to func(*T) bool) *OrderBuffer[T] {
	return &OrderBuffer[T]{submit: submit, to: to, Window: OrderWindow, sorted: true, latest: math.Inf(-1), passed: math.Inf(-1)}
}

// Add adds a copy of the next value; at is its submission time. It returns false, and leaves
// the value out, if a value submitted later has been passed on.
// The time is passed in because a call of the function here would move every value to
// the heap.
func (o *OrderBuffer[T]) Add(at float64, x *T) bool {
	if at < o.passed {
		return false
	}
	if o.ended {
		return true
	}
	o.sorted = o.sorted && at >= o.latest
	o.latest = at
	if len(o.held) == cap(o.held) { // append would grow it by a quarter, and move it five times as often
		o.held = slices.Grow(o.held, min(max(64, len(o.held)), 2*o.Window-len(o.held)))
	}
	o.held = append(o.held, *x)
	if len(o.held) == 2*o.Window {
		o.pass(o.Window)
	}
	return true
}

// Passed returns the submission time of the last value passed on, -Inf before the first.
func (o *OrderBuffer[T]) Passed() float64 { return o.passed }

// Ended reports whether the function has returned false. Then no more values are passed on.
func (o *OrderBuffer[T]) Ended() bool { return o.ended }

// Finish passes on all values that are held.
func (o *OrderBuffer[T]) Finish() { o.pass(len(o.held)) }

// pass passes on the first n of the held values.
func (o *OrderBuffer[T]) pass(n int) {
	if !o.sorted {
		slices.SortStableFunc(o.held, func(a, b T) int { return cmp.Compare(o.submit(&a), o.submit(&b)) })
		o.sorted = true
	}
	for i := range o.held[:n] {
		x := &o.held[i]
		o.passed = o.submit(x)
		if !o.to(x) {
			o.ended, o.held = true, nil
			return
		}
	}
	o.held = o.held[:copy(o.held, o.held[n:])]
	if len(o.held) > 0 {
		o.latest = o.submit(&o.held[len(o.held)-1])
	}
}
