package figure

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestSubmissionSeries(t *testing.T) {
	got := submissionSeries(Counts{Start: -300, Width: 300, Max: []float64{2, 0, 0, 0, 7}})
	want := []float64{-300, 2, 0, 2, 0, 0, 900, 0, 900, 7, 1200, 7}
	if len(got) != len(want)/2 {
		t.Fatalf("points %v, want %v", got, want)
	}
	for i, p := range got {
		if p.X != want[2*i] || p.Y != want[2*i+1] {
			t.Errorf("point %d: %v, want %v", i, p, want[2*i:2*i+2])
		}
	}
	if got := submissionSeries(Counts{Width: 300}); got != nil {
		t.Errorf("no stretch: %v", got)
	}
}

func TestCalendarTicks(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(1996, time.September, 23, 14, 0, 31, 0, zone)
	at := func(s float64) time.Time { return time.Unix(start.Unix()+int64(s), 0).In(zone) }
	const day = 86400.0
	for _, c := range []struct {
		low, high float64
		at        func(float64) time.Time
		want      string
	}{
		{0, 340 * day, at, "1996-10,1997-01,1997-04,1997-07"},
		{0, 7.9 * 365 * day, at, "1997,1998,1999,2000,2001,2002,2003,2004"},
		{0, 4 * day, at, "1996-09-24,1996-09-25,1996-09-26,1996-09-27"},
		{0, 20 * day, at, "1996-09-30,1996-10-07"},
		{0, 7200, at, "15:00,16:00"},
		{0, 86400, at, "23 Sep 18:00,24 Sep 00:00,24 Sep 06:00,24 Sep 12:00"},
		{0, 340 * day, nil, "0,50,100,150,200,250,300"},
		{-day / 2, day, nil, "-0.4,-0.2,0,0.2,0.4,0.6,0.8,1"},
		{0, 1e15, at, "0,2e+09,4e+09,6e+09,8e+09,1e+10"},
	} {
		var labels []string
		for _, tick := range (calendar{c.at}).Ticks(c.low, c.high) {
			labels = append(labels, tick.Label)
			if tick.Value < c.low || tick.Value > c.high {
				t.Errorf("tick %v outside %v to %v", tick, c.low, c.high)
			}
		}
		if got := strings.Join(labels, ","); got != c.want {
			t.Errorf("%v to %v: ticks %s, want %s", c.low, c.high, got, c.want)
		}
	}
	// Midnight is midnight on both sides of the end of summer time.
	for _, tick := range (calendar{at}).Ticks(30*day, 37*day) {
		if got := at(tick.Value); got.Hour() != 0 || got.Format("2006-01-02") != tick.Label {
			t.Errorf("tick %s is at %s", tick.Label, fmt.Sprint(got))
		}
	}
}
