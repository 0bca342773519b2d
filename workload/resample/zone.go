package resample

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// zone turns seconds of the log into the wall clock of its site and back, in
// seconds that are a multiple of a day apart at one time of day.
type zone struct {
	clock  workload.Clock
	lo, hi float64 // seconds of the log in which offset holds
	offset float64 // s; of a log without a date 0
}

// local is the wall clock at a second of the log.
func (z *zone) local(t float64) float64 { return t + z.at(t) }

// at is the offset at a second of the log. It is found anew when the clocks
// change.
func (z *zone) at(t float64) float64 {
	if !z.clock.Dates(t) {
		return 0
	}
	if t >= z.lo && t < z.hi {
		return z.offset
	}
	when := z.clock.At(t)
	_, offset := when.Zone()
	from, to := when.ZoneBounds()
	z.lo, z.hi, z.offset = math.Inf(-1), math.Inf(1), float64(offset)
	if !from.IsZero() {
		z.lo = float64(from.Unix() - z.clock.Start.Unix())
	}
	if !to.IsZero() {
		z.hi = float64(to.Unix() - z.clock.Start.Unix())
	}
	return z.offset
}

// moment is the inverse of local. At the hour that a summer's end repeats it is
// one of the two, and the hour that its begin skips is taken an hour on.
func (z *zone) moment(local float64) float64 {
	guess := z.at(local)
	if offset := z.at(local - guess); offset != guess {
		return local - offset
	}
	return local - guess
}
