package workload

import (
	"strconv"
	"strings"
	"testing"
	"time"
)

// Each row has a header, a second of the log, the time at that second, and part of the note. The
// header of KTH-SP2-1996 itself gives Mon Sep 23 14:00:31 CEST 1996, and that of SDSC-Par-1996,
// with a TimeZone of 0, Wed Dec 27 10:53:57 PST 1995.
func TestClock(t *testing.T) {
	const cases = `
UnixStartTime: 843480031, TimeZone: 3600, TimeZoneString: Europe/Stockholm | 0 | Mon 1996-09-23 14:00:31 CEST |
UnixStartTime: 843480031, TimeZoneString: Europe/Stockholm | 8640000 | Wed 1997-01-01 13:00:31 CET |
UnixStartTime: 820090437, TimeZone: 0, TimeZoneString: US/Pacific | 0 | Wed 1995-12-27 10:53:57 PST |
UnixStartTime: 843480031, TimeZone: -28800 | 0 | Mon 1996-09-23 04:00:31 -0800 |
UnixStartTime: 843480031, TimeZoneString: Mars/Olympus, TimeZone: 3600 | 0 | Mon 1996-09-23 13:00:31 +0100 |
UnixStartTime: 843480031, TimeZoneString: Mars/Olympus | 0 | Mon 1996-09-23 12:00:31 UTC | Mars/Olympus
UnixStartTime: 843480031, TimeZoneString: Local | 0 | Mon 1996-09-23 12:00:31 UTC | Local
UnixStartTime: 843480031 | 0.75 | Mon 1996-09-23 12:00:31 UTC | no time zone
UnixStartTime: 843480031, TimeZone: 9999999 | 0 | Mon 1996-09-23 12:00:31 UTC | no time zone
TimeZoneString: Europe/Stockholm | 3600 | Mon 1970-01-05 01:00:00 UTC | no UnixStartTime
UnixStartTime: 843480031, TimeZone: 0 | -31.5 | Mon 1996-09-23 11:59:59 +0000 |
`
	for _, c := range rowsOf(cases) {
		clock, note := (&Header{strings.Split(c[0], ", ")}).Clock()
		second, err := strconv.ParseFloat(c[1], 64)
		got := clock.At(second).Format("Mon 2006-01-02 15:04:05 MST")
		if err != nil || got != c[2] || clock.Known != strings.Contains(c[0], "Unix") || (note == "") != (c[3] == "") || !strings.Contains(note, c[3]) {
			t.Errorf("%s: second %s is %s, known %v, %q", c[0], c[1], got, clock.Known, note)
		}
	}
}

// A date and time of day may be separated by a blank, as in CSV.
func TestMomentForms(t *testing.T) {
	c := Clock{Start: time.Date(1997, 3, 3, 0, 0, 0, 0, time.UTC), Known: true}
	for text, want := range map[string]float64{
		"1997-03-03T12:00": 43200, "1997-03-03 12:00": 43200, "1997-03-03 12:00:30": 43230,
		"1997-03-04": 86400, "1997-03-03 12:00:00+01:00": 39600, "90": 90,
	} {
		if got, err := c.Moment("at", text); err != nil || got != want {
			t.Errorf("%s: %g, %v, want %g", text, got, err, want)
		}
	}
	if _, err := c.Moment("at", "noon"); err == nil {
		t.Error("noon: no error")
	}
}
