package workload

import (
	"cmp"
	"math"
	"slices"
)

// OrderBuffer passes values on in the order of their submissions; those of one
// instant stay in the order in which they came. It holds at most twice Window
// values: one that comes more than Window values late may be too late.
type OrderBuffer[T any] struct {
	submit func(*T) float64
	to     func(*T) bool
	// Window is by how many values one may come late: OrderWindow unless another is set
	// before the first.
	Window int
	held   []T
	sorted bool
	latest float64 // submission of the value held last
	passed float64 // submission of the value passed on last
	ended  bool
}

// NewOrderBuffer returns a buffer that passes values on to a function, until that
// returns false. submit is the time of a value, in any unit, and not NaN.
func NewOrderBuffer[T any](submit func(*T) float64, to func(*T) bool) *OrderBuffer[T] {
	return &OrderBuffer[T]{submit: submit, to: to, Window: OrderWindow, sorted: true, latest: math.Inf(-1), passed: math.Inf(-1)}
}

// Add takes a copy of the next value, submitted at a time. It returns false, and leaves the
// value out, where one submitted later has been passed on.
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

// Passed returns the submission of the value passed on last: -Inf before the first.
func (o *OrderBuffer[T]) Passed() float64 { return o.passed }

// Skip has everything up to a time be too late, as if it had been passed on.
func (o *OrderBuffer[T]) Skip(to float64) { o.passed = max(o.passed, to) }

// Ended says whether the function has returned false: nothing is passed on any more.
func (o *OrderBuffer[T]) Ended() bool { return o.ended }

// Finish passes on what is held.
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
