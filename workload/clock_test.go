package workload

import (
	"strings"
	"testing"
	"time"
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

// A moment may have a blank before the time of day, as in CSV.
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

// The seconds are those of "date -d TEXT +%s" with TZ set (GNU coreutils 9.1).
func TestParseHeaderDate(t *testing.T) {
	for _, c := range []struct {
		text, zone string
		want       int64
		utc        bool
	}{
		{"Mon Sep 23 14:00:31 CEST 1996", "Europe/Stockholm", 843480031, false},
		{"Tue Oct 04 07:01:12 MDT 1994", "US/Mountain", 781275672, false},
		{"2014-05-22 10:57:59", "Europe/Luxembourg", 1400749079, false},
		{"  Sat May  1 00:04:55 JST 2010 ", "Asia/Tokyo", 1272639895, false},
		{"Wed Dec 27 10:53:57 1995", "US/Pacific", 820090437, false},
		{"2014-05-22T10:57:59+02:00", "UTC", 1400749079, true},
		{"Sun Nov 20 00:00:05 UTC 2005", "US/Pacific", 1132444805, true},
		// The hour that summer time's end has twice.
		{"Sun Oct 27 01:30:00 PDT 1996", "US/Pacific", 846405000, false},
		{"Sun Oct 27 01:30:00 PST 1996", "US/Pacific", 846408600, false},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		got, ok, utc := ParseHeaderDate(c.text, zone)
		if !ok || got.Unix() != c.want || utc != c.utc {
			t.Errorf("%q in %s is %d, %v, %v; want %d, %v", c.text, c.zone, got.Unix(), ok, utc, c.want, c.utc)
		}
	}
	for _, bad := range []string{"", "UNKNOWN", "Tue Feb 30 18:44:15 IST 2006", "Tue Feb 21 IST 2006", "0000-00-00 00:00:00", "a b c d e f g"} {
		if got, ok, _ := ParseHeaderDate(bad, time.UTC); ok {
			t.Errorf("%q is %v", bad, got)
		}
	}
}
