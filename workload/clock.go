package workload

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Clock turns a log's seconds into wall-clock time at its site.
type Clock struct {
	Start time.Time // the instant of second 0, in the site's zone
	Known bool      // false: no UnixStartTime; then second 0 is a Monday's midnight
}

// Clock reads UnixStartTime and TimeZoneString. If the zone is missing or unknown, it uses
// the deprecated TimeZone, an offset in seconds. A log without a start time gets a clock
// that begins on a Monday at 0:00, with Known false. note says what was assumed, or is
// empty.
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

// AddStart adds the lines from which Clock reads start as second 0, to the whole second:
// UnixStartTime, and the zone as TimeZoneString, or as TimeZone if it has a fixed offset and
// is none of the IANA database.
func (h *Header) AddStart(start time.Time) {
	h.Add("UnixStartTime", strconv.FormatInt(start.Unix(), 10))
	if inDatabase(start) {
		h.Add("TimeZoneString", start.Location().String())
		return
	}
	_, offset := start.Zone()
	h.Add("TimeZone", strconv.Itoa(offset))
}

// inDatabase reports whether the name of a time's zone stands for the zone: a fixed offset may
// have the name of another.
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

// ParseDate reads a date such as 1996-12-24, or a date and time such as
// 1996-12-24T18:00, 1996-12-24 18:00:30 or 1996-12-24T18:00:30+01:00. One that names
// no zone is in the given one.
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

// Moment reads an option that is a moment: a date and time of the clock, such as
// 1996-12-24 or 1996-12-24T18:00, or seconds from the log's start, which it
// returns. The error is an *OptionError.
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

// dated is how far from second 0 a time may be and still have a date, s: 30,000
// years.
const dated = 1e12

// Dates reports whether the clock is known and the seconds are all times that a
// calendar has.
func (c Clock) Dates(seconds ...float64) bool {
	for _, s := range seconds {
		if !(math.Abs(s) < dated) {
			return false
		}
	}
	return c.Known
}

// UndatedMonth is the length of a month of a log without dates, days.
const UndatedMonth = 30

// Month returns the number of the calendar month that a second of the log is in, or of the
// 30 days where the log has no dates. It is Unknown for seconds that are NaN or too far for
// a calendar.
func (c Clock) Month(seconds float64) int64 {
	switch {
	case !(math.Abs(seconds) < dated):
		return Unknown
	case !c.Known:
		return int64(math.Floor(seconds / (UndatedMonth * 86400)))
	}
	at := c.At(seconds)
	return int64(at.Year())*12 + int64(at.Month()) - 1
}

// MonthPeriod returns the month with a number from Month; its label is such as 2006-01, or
// days 0-29 where the log has no dates.
func (c Clock) MonthPeriod(month int64) Period {
	if !c.Known {
		first := UndatedMonth * month
		return Period{month, float64(first) * 86400, float64(first+UndatedMonth) * 86400, fmt.Sprintf("days %d-%d", first, first+UndatedMonth-1)}
	}
	return Division{months: 1, clock: c}.Period(month)
}
