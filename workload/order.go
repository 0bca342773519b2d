package workload

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
)

// OrderWindow is the number of jobs by which a log may be out of order. InOrder looks ahead this
// far, and no further.
const OrderWindow = 1 << 17

// InOrder yields jobs in order of submission; jobs submitted at the same time stay in the log's
// order. It holds at most twice OrderWindow jobs. Jobs whose submission time is unknown are left
// out and counted in w under the rule "no-submit-time", jobs that were moved under
// "sorted-by-submit"; w may be nil. A job that belongs before one already yielded is an error
// that wraps ErrOrder: sort the log first.
func InOrder(jobs iter.Seq2[Job, error], w *Warnings) iter.Seq2[Job, error] {
	return inOrder(jobs, w, OrderWindow)
}

func inOrder(jobs iter.Seq2[Job, error], w *Warnings, window int) iter.Seq2[Job, error] {
	if w == nil {
		w = new(Warnings)
	}
	return func(yield func(Job, error) bool) {
		var moved int
		latest := math.Inf(-1)
		order := NewOrderBuffer(func(j *Job) float64 { return j.Submit }, func(j *Job) bool { return yield(*j, nil) })
		order.Window = window
		for j, err := range jobs {
			if err != nil {
				yield(Job{}, err)
				return
			}
			if math.IsNaN(j.Submit) {
				w.Add("no-submit-time", "jobs left out: their submission time is unknown", 0, j.Label())
				continue
			}
			if j.Submit < latest {
				saw := ""
				if moved++; moved == 1 {
					saw = fmt.Sprintf("%s at %s after %s", j.Label(), seconds(j.Submit), seconds(latest))
				}
				w.Add("sorted-by-submit", "jobs sorted by submission: they follow a job submitted later", 0, saw)
			} else {
				latest = j.Submit
			}
			if !order.Add(j.Submit, &j) {
				yield(Job{}, fmt.Errorf("%s (row %d) is %w: submitted at %s, more than %d jobs after one of %s; sort the log by submission first",
					j.Label(), j.Row+1, ErrOrder, seconds(j.Submit), window, seconds(order.Passed())))
				return
			}
			if order.Ended() {
				return
			}
		}
		order.Finish()
	}
}

// ErrOrder is the cause of the error of a function that takes jobs in order of submission,
// if a job comes after one that was submitted later.
var ErrOrder = errors.New("out of order")

// OutOfOrder returns an error that wraps ErrOrder, for a job j that comes after a job submitted
// later, at the time after, in seconds.
func OutOfOrder(j *Job, after float64) error {
	return fmt.Errorf("%s (row %d) is %w: submitted at %s, after one of %s; sort the jobs with workload.InOrder",
		j.Label(), j.Row+1, ErrOrder, seconds(j.Submit), seconds(after))
}

// seconds formats a time for a message, with all its digits: times of many logs are seconds
// since 1970, and only their differences matter.
func seconds(t float64) string { return strconv.FormatFloat(t, 'f', -1, 64) + " s" }

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

// Add adds a copy of the next value; at is its submission time. It returns false, and leaves the
// value out, if a value submitted later has been passed on.
//
// The caller passes the time because calling submit here would move every value to the heap.
func (o *OrderBuffer[T]) Add(at float64, x *T) bool {
	if at < o.passed {
		return false
	}
	if o.ended {
		return true
	}
	o.sorted = o.sorted && at >= o.latest
	o.latest = at
	if n := len(o.held); n == cap(o.held) { // append would grow it by a quarter
		o.held = slices.Grow(o.held, min(max(n, 1<<10), 2*o.Window-n))
	}
	if o.held = append(o.held, *x); len(o.held) == 2*o.Window {
		o.pass(o.Window)
	}
	return true
}

// Passed returns the submission time of the last value passed on, -Inf before the first.
func (o *OrderBuffer[T]) Passed() float64 { return o.passed }

// Ended reports whether the function to has returned false. No more values are passed on then.
func (o *OrderBuffer[T]) Ended() bool { return o.ended }

// Finish passes on all values that are held.
func (o *OrderBuffer[T]) Finish() { o.pass(len(o.held)) }

// pass passes on the first n of the held values.
func (o *OrderBuffer[T]) pass(n int) {
	if !o.sorted {
		o.sort()
	}
	for i := range o.held[:n] {
		o.passed = o.submit(&o.held[i])
		if !o.to(&o.held[i]) {
			o.ended, o.held = true, nil
			return
		}
	}
	o.held = o.held[:copy(o.held, o.held[n:])]
	if last := len(o.held) - 1; last >= 0 {
		o.latest = o.submit(&o.held[last])
	}
}

// sort sorts the held values by submission. It keeps the order of equal times and moves each
// value only once.
func (o *OrderBuffer[T]) sort() {
	type place struct {
		at   float64
		from int // index of the value that belongs here; the place's own index once the value is here
	}
	order := make([]place, len(o.held))
	for i := range order {
		order[i] = place{o.submit(&o.held[i]), i}
	}
	slices.SortStableFunc(order, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	for i := range order {
		first, to := o.held[i], i
		for order[to].from != i { // move the values along a cycle of places
			from := order[to].from
			o.held[to], order[to].from = o.held[from], to
			to = from
		}
		o.held[to], order[to].from = first, to
	}
	o.sorted = true
}
