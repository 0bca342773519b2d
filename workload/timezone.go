package workload

import (
	"fmt"
	"strconv"
	"time"
	_ "time/tzdata" // zone names must mean the same on every machine
)

// loadZone returns the zone of that name in the IANA database. "Local" would
// be the zone of the machine that reads the log.
func loadZone(name string) (*time.Location, error) {
	if name == "Local" {
		return nil, fmt.Errorf("unknown time zone %s", name)
	}
	return time.LoadLocation(name)
}

// Zone returns the zone of TimeZone, or UTC where that is empty. The error is
// an *InputError.
func (o Options) Zone(file string) (*time.Location, error) {
	if o.TimeZone == "" {
		return time.UTC, nil
	}
	zone, err := loadZone(o.TimeZone)
	if err != nil {
		return nil, &InputError{File: file, Field: "time zone", Saw: strconv.Quote(o.TimeZone), Want: "a name such as Europe/Zurich"}
	}
	return zone, nil
}

// PlaceIn gives the log the zone of Options.TimeZone where its header says when
// the log starts, but names no known zone. The deprecated TimeZone, an offset
// that knows no summer time, gives way. A zone that the header names stays, and
// a warning is counted where it is another one.
func (l *Log) PlaceIn(zone string) {
	h := &l.Header
	if clock, _ := h.Clock(); zone == "" || !clock.Known {
		return
	}
	name := h.Get("TimeZoneString")
	if _, err := loadZone(name); name == "" || err != nil {
		h.Set("TimeZoneString", zone)
	} else if name != zone {
		l.from.Warnings.Add("other-time-zone", "the header's TimeZoneString is used, not the time zone "+zone, 0, name)
	}
}
