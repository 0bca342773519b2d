package workload

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zone names must mean the same on every machine
)

// Clock converts a log's seconds to wall-clock time at its site.
type Clock struct {
	Start time.Time // the instant of second 0, in the site's zone
	Known bool      // false if there is no UnixStartTime; second 0 is then midnight on a Monday
}

// Clock returns the clock that UnixStartTime and TimeZoneString define. If the zone is missing
// or unknown, it is taken from the deprecated TimeZone, an offset in seconds, and is otherwise
// UTC. A log without a start time gets a clock that begins on a Monday at 0:00, with Known
// false. note describes an assumption, or is empty.
func (h *Header) Clock() (c Clock, note string) {
	start, ok := h.Int("UnixStartTime")
	if !ok {
		// 5 January 1970 was the first Monday.
		return Clock{Start: time.Unix(4*86400, 0).UTC()}, "no UnixStartTime: second 0 is assumed to be midnight on a Monday"
	}
	zone := time.UTC
	if name := h.Get("TimeZoneString"); name != "" {
		if z, err := loadZone(name); err == nil {
			return Clock{time.Unix(start, 0).In(z), true}, ""
		}
		note = fmt.Sprintf("unknown TimeZoneString %q: UTC is used (--timezone names another)", name)
	}
	if offset, err := strconv.Atoi(h.Get("TimeZone")); err == nil && offset > -86400 && offset < 86400 {
		zone, note = time.FixedZone("", offset), ""
	} else if note == "" {
		note = "no time zone in the header: UTC is used (--timezone names another)"
	}
	return Clock{time.Unix(start, 0).In(zone), true}, note
}

// AddStart adds the lines from which Clock gets start, to the whole second, as second 0:
// UnixStartTime, and the zone as TimeZoneString or, if it is not in the IANA database, as the
// offset TimeZone.
func (h *Header) AddStart(start time.Time) {
	h.Add("UnixStartTime", strconv.FormatInt(start.Unix(), 10))
	if inDatabase(start) {
		h.Add("TimeZoneString", start.Location().String())
		return
	}
	_, offset := start.Zone()
	h.Add("TimeZone", strconv.Itoa(offset))
}

// inDatabase reports whether the name of t's zone is that of the same zone in the IANA database.
// A fixed offset may have the name of another zone, so offsets are compared.
func inDatabase(t time.Time) bool {
	zone, err := loadZone(t.Location().String())
	if err != nil {
		return false
	}
	for _, at := range []time.Time{t, t.AddDate(0, 6, 0)} { // summer and winter
		_, want := at.Zone()
		if _, offset := at.In(zone).Zone(); offset != want {
			return false
		}
	}
	return true
}

// ClockWarnings returns the note of Clock as a warning, or none.
func (h *Header) ClockWarnings() []Warning {
	_, note := h.Clock()
	if note == "" {
		return nil
	}
	return []Warning{{Rule: "header-clock", Text: note, Count: 1}}
}

// ParseDate parses a date such as 1996-12-24, or a date and time such as 1996-12-24T18:00,
// 1996-12-24 18:00:30 or 1996-12-24T18:00:30+01:00. A date without a zone is in the given zone.
// The result is false for other texts.
func ParseDate(text string, zone *time.Location) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339} {
		for _, layout := range []string{layout, strings.Replace(layout, "T", " ", 1)} {
			if t, err := time.ParseInLocation(layout, text, zone); err == nil {
				return t, true
			}
		}
	}
	return time.Time{}, false
}

// Moment parses the value of an option that is a moment: a date and time of the clock, such as
// 1996-12-24 or 1996-12-24T18:00, or seconds from the log's start. It returns seconds from the
// log's start. The error is an *OptionError.
func (c Clock) Moment(option, text string) (float64, error) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return seconds, nil
	}
	if t, ok := ParseDate(text, c.Start.Location()); ok {
		if !c.Known {
			return 0, &OptionError{Option: option, Saw: text + ": the log's header does not say when it starts (UnixStartTime)", Want: "seconds from its start"}
		}
		return float64(t.Unix() - c.Start.Unix()), nil
	}
	return 0, &OptionError{Option: option, Saw: text, Want: "a date such as 1996-12-24 or 1996-12-24T18:00, or seconds from the log's start"}
}

// At returns the wall-clock time of a second of the log.
func (c Clock) At(seconds float64) time.Time {
	whole, part := math.Modf(seconds)
	return time.Unix(c.Start.Unix()+int64(whole), int64(part*1e9)).In(c.Start.Location())
}

// dated is the distance from second 0, in s, beyond which times have no date: about 30,000
// years.
const dated = 1e12

// Dates reports whether the clock is known and all times are within the range of a calendar.
func (c Clock) Dates(seconds ...float64) bool {
	for _, s := range seconds {
		if !(math.Abs(s) < dated) {
			return false
		}
	}
	return c.Known
}

// loadZone returns the zone with that name in the IANA database. It rejects "Local", which would
// be the zone of the machine that reads the log.
func loadZone(name string) (*time.Location, error) {
	if name == "Local" {
		return nil, fmt.Errorf("unknown time zone %s", name)
	}
	return time.LoadLocation(name)
}

// Zone returns the zone named by TimeZone, or UTC if that is empty. The error is an
// *OptionError.
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
