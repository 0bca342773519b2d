package present

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Moment writes a second of a log for people: by the clock where it has a date,
// else in days from second 0.
func Moment[F ~float64](clock workload.Clock, seconds F) string {
	if clock.Dates(float64(seconds)) {
		return clock.At(float64(seconds)).Format("2006-01-02 15:04")
	}
	return "day " + Sig(seconds/86400)
}

// Span writes a length of time in its largest whole unit.
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
