package workload

import (
	"fmt"
	"math"
	"strconv"
	"time"
	_ "time/tzdata" // zone names in headers must mean the same on every machine
)

// Clock turns a log's seconds into wall-clock time at its site.
type Clock struct {
	Start time.Time // the instant of second 0, in the site's zone
	Known bool      // false: no UnixStartTime; then second 0 is a Monday's midnight
}

// Clock reads UnixStartTime and TimeZoneString; where the zone is missing or
// unknown, the deprecated TimeZone (an offset in seconds) stands in. A log
// without a start time gets a clock that begins on a Monday at 0:00, and
// Known is false. note says what was assumed, or is empty.
func (h *Header) Clock() (c Clock, note string) {
	start, ok := h.Int("UnixStartTime")
	if !ok {
		// 5 January 1970 was the first Monday.
		return Clock{Start: time.Unix(4*86400, 0).UTC()}, "no UnixStartTime: second 0 is taken as a Monday's midnight"
	}
	zone := time.UTC
	if name := h.Get("TimeZoneString"); name != "" {
		// "Local" would mean the zone of the machine that reads the log.
		if z, err := time.LoadLocation(name); err == nil && name != "Local" {
			return Clock{time.Unix(start, 0).In(z), true}, ""
		}
		note = fmt.Sprintf("unknown TimeZoneString %q: UTC is used", name)
	}
	if offset, err := strconv.Atoi(h.Get("TimeZone")); err == nil && offset > -86400 && offset < 86400 {
		zone, note = time.FixedZone("", offset), ""
	} else if note == "" {
		note = "no time zone in the header: UTC is used"
	}
	return Clock{time.Unix(start, 0).In(zone), true}, note
}

// At returns the wall-clock time of a second of the log.
func (c Clock) At(seconds float64) time.Time {
	whole, part := math.Modf(seconds)
	return time.Unix(c.Start.Unix()+int64(whole), int64(part*1e9)).In(c.Start.Location())
}
