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
// an *OptionError.
func (o Options) Zone() (*time.Location, error) {
	if o.TimeZone == "" {
		return time.UTC, nil
	}
	zone, err := loadZone(o.TimeZone)
	if err != nil {
		return nil, OptionFault("timezone", strconv.Quote(o.TimeZone), "a name of the IANA database, such as Europe/Zurich")
	}
	return zone, nil
}

// PlaceIn sets the log's time zone (Options.TimeZone), if the header gives the log's start
// but no known zone. It replaces the deprecated TimeZone, an offset without daylight saving
// time. A zone in the header is kept, with a warning if it differs.
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
