package workload

import (
	"testing"
	"time"
)

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
