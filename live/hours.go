package live

import (
	"iter"
	"math"
)

// hoursKept are the hours of a week.
const hoursKept = 7 * 24

// hours is a value for each hour of the last week. The clock does not go back.
type hours[T any] struct {
	bins [hoursKept]struct {
		hour  int64 // since the clock's origin
		value *T
	}
}

func hourOf(now float64) int64 { return int64(math.Floor(now / 3600)) }

func place(hour int64) int64 { return ((hour % hoursKept) + hoursKept) % hoursKept }

// at returns the value of the hour of a moment, which fresh makes.
func (h *hours[T]) at(now float64, fresh func() *T) *T {
	hour := hourOf(now)
	b := &h.bins[place(hour)]
	if b.value == nil || b.hour != hour {
		b.hour, b.value = hour, fresh()
	}
	return b.value
}

// last yields the start, s, and the value of those of the last n hours that have one, the
// oldest first, up to the hour of a moment.
func (h *hours[T]) last(now float64, n int64) iter.Seq2[float64, *T] {
	return func(yield func(float64, *T) bool) {
		hour := hourOf(now)
		for k := hour - n + 1; k <= hour; k++ {
			if b := h.bins[place(k)]; b.value != nil && b.hour == k && !yield(float64(k)*3600, b.value) {
				return
			}
		}
	}
}
