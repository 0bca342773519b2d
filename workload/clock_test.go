package workload

import (
	"strings"
	"testing"
)

func TestClock(t *testing.T) {
	for _, c := range []struct {
		name   string
		header string
		second float64
		want   string // with zone
		known  bool
		note   string
	}{
		// The header of KTH-SP2-1996 itself says: Mon Sep 23 14:00:31 CEST 1996.
		{"zone", "UnixStartTime: 843480031|TimeZone: 3600|TimeZoneString: Europe/Stockholm", 0, "Mon 1996-09-23 14:00:31 CEST", true, ""},
		{"winter", "UnixStartTime: 843480031|TimeZoneString: Europe/Stockholm", 100 * 86400, "Wed 1997-01-01 13:00:31 CET", true, ""},
		// SDSC-Par-1996: Wed Dec 27 10:53:57 PST 1995 behind a TimeZone of 0.
		{"old zone name", "UnixStartTime: 820090437|TimeZone: 0|TimeZoneString: US/Pacific", 0, "Wed 1995-12-27 10:53:57 PST", true, ""},
		{"offset", "UnixStartTime: 843480031|TimeZone: -28800", 0, "Mon 1996-09-23 04:00:31 -0800", true, ""},
		{"unknown zone, offset", "UnixStartTime: 843480031|TimeZoneString: Mars/Olympus|TimeZone: 3600", 0, "Mon 1996-09-23 13:00:31 +0100", true, ""},
		{"unknown zone", "UnixStartTime: 843480031|TimeZoneString: Mars/Olympus", 0, "Mon 1996-09-23 12:00:31 UTC", true, "Mars/Olympus"},
		{"the reader's own zone", "UnixStartTime: 843480031|TimeZoneString: Local", 0, "Mon 1996-09-23 12:00:31 UTC", true, "Local"},
		{"no zone", "UnixStartTime: 843480031", 0.75, "Mon 1996-09-23 12:00:31 UTC", true, "no time zone"},
		{"offset out of range", "UnixStartTime: 843480031|TimeZone: 9999999", 0, "Mon 1996-09-23 12:00:31 UTC", true, "no time zone"},
		{"no start", "TimeZoneString: Europe/Stockholm", 3600, "Mon 1970-01-05 01:00:00 UTC", false, "no UnixStartTime"},
		{"before the start", "UnixStartTime: 843480031|TimeZone: 0", -31.5, "Mon 1996-09-23 11:59:59 +0000", true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := Header{strings.Split(" "+strings.ReplaceAll(c.header, "|", "| "), "|")}
			clock, note := h.Clock()
			if clock.Known != c.known {
				t.Errorf("known: %v", clock.Known)
			}
			if got := clock.At(c.second).Format("Mon 2006-01-02 15:04:05 MST"); got != c.want {
				t.Errorf("second %g is %s, want %s", c.second, got, c.want)
			}
			if (note == "") != (c.note == "") || !strings.Contains(note, c.note) {
				t.Errorf("note %q, want %q in it", note, c.note)
			}
		})
	}
}
