package view

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Moment formats a second of a log for people: as a date if the clock has one, otherwise
// in days from second 0.
func Moment[F ~float64](clock workload.Clock, seconds F) string {
	if clock.Dates(float64(seconds)) {
		return clock.At(float64(seconds)).Format("2006-01-02 15:04")
	}
	return "day " + Sig(seconds/86400)
}

// Wait formats a wait given in seconds: in seconds below one minute, otherwise in minutes,
// hours or days; "-" if it is unknown.
func Wait[F ~float64](seconds F) string {
	switch {
	case seconds == 0:
		return "0 min"
	case seconds > 0 && seconds < 1:
		return "< 1 s"
	case seconds >= 1 && seconds < 59.5:
		return Fixed(seconds, 0) + " s"
	case seconds >= 59.5 && seconds < 60:
		return "1 min"
	case seconds >= 60 && seconds < 120:
		return Sig(seconds/60) + " min"
	}
	return Duration(seconds)
}

const dayLayout, minuteLayout = "2006-01-02", "01-02 15:04"

// Span formats a length of time, given in seconds, as a whole number of the largest possible unit:
// "day", "5 minutes".
func Span[F ~float64](seconds F) string {
	for _, u := range []struct {
		seconds F
		one     string
	}{{7 * 86400, "week"}, {86400, "day"}, {3600, "hour"}, {60, "minute"}, {1, "second"}} {
		if n := seconds / u.seconds; float64(n) == math.Trunc(float64(n)) && n > 0 {
			if n == 1 {
				return u.one
			}
			return Sig(n) + " " + u.one + "s"
		}
	}
	return Sig(seconds) + " seconds"
}

// TimeUnit is a unit of time for people.
type TimeUnit struct {
	Symbol, Name string
	Seconds      float64
}

// TimeUnits are the units of times, the largest first.
var TimeUnits = []TimeUnit{{"d", "day", 86400}, {"h", "hour", 3600}, {"min", "minute", 60}, {"s", "second", 1}}

// TimeUnitOf returns the common unit for times, given in seconds, that are to be compared: the
// largest unit of which their median is at least two. Zeros and unknown times do not count; if
// there are no others, the unit is the second.
func TimeUnitOf(seconds ...float64) TimeUnit {
	var sizes []float64
	for _, x := range seconds {
		if Known(x) && x != 0 {
			sizes = append(sizes, math.Abs(x))
		}
	}
	if len(sizes) > 0 {
		slices.Sort(sizes)
		for _, u := range TimeUnits {
			if sizes[len(sizes)/2] >= 2*u.Seconds {
				return u
			}
		}
	}
	return TimeUnits[len(TimeUnits)-1]
}

// Write formats a time, given in seconds, in the unit; "-" if it is unknown.
func (u TimeUnit) Write(seconds float64) string {
	if !Known(seconds) {
		return "-"
	}
	return Sig(seconds/u.Seconds) + " " + u.Symbol
}
