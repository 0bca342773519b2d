package workload

import (
	"math"
	"testing"
	"time"
)

func TestPeriods(t *testing.T) {
	zone, err := time.LoadLocation("US/Pacific")
	if err != nil {
		t.Fatal(err)
	}
	clock := Clock{Start: time.Date(1995, 12, 27, 10, 53, 57, 0, zone), Known: true}
	months, err := Months(clock, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		at    time.Time
		label string
	}{
		{clock.Start, "1995-09 to 1995-12"},
		{time.Date(1995, 12, 31, 23, 59, 59, 0, zone), "1995-09 to 1995-12"},
		{time.Date(1996, 1, 1, 0, 0, 0, 0, zone), "1996-01 to 1996-04"},
		{time.Date(1996, 4, 30, 23, 59, 59, 0, zone), "1996-01 to 1996-04"},
		{time.Date(1996, 5, 1, 0, 0, 0, 0, zone), "1996-05 to 1996-08"}, // in summer time
	} {
		s := tt.at.Sub(clock.Start).Seconds()
		n, ok := months.Number(s)
		p := months.Period(n)
		if !ok || p.Label != tt.label || !(p.From <= s && s < p.To) {
			t.Errorf("%v (%g s) is in %+v, want %s", tt.at, s, p, tt.label)
		}
	}
	for _, s := range []float64{math.NaN(), math.Inf(-1), 1e300} {
		if _, ok := months.Number(s); ok {
			t.Errorf("%g is in a month", s)
		}
	}
	if n, ok := months.Number(-1e11); !ok || !(months.Period(n).From <= -1e11 && -1e11 < months.Period(n).To) {
		t.Errorf("-1e11 s is in %+v", months.Period(n))
	}
	if _, err := Months(clock, 5); err == nil {
		t.Error("periods of 5 months are taken")
	}
}

// Weeks begin on Mondays by the clock of the site, also over the change to summer time on Sunday 31
// March 1996, and before 1970; those of a log without dates count from its start.
func TestCalendars(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	clock := Clock{Start: time.Date(1996, 3, 29, 14, 0, 31, 0, zone), Known: true}
	undated, _ := new(Header).Clock()
	const day = 86400
	for _, c := range []struct {
		clock    Clock
		word     string
		at       float64
		label    string
		from, to float64
	}{
		{clock, "day", 0, "1996-03-29", -50431, day - 50431},
		{clock, "day", 2*day - 50431, "1996-03-31", 2*day - 50431, 3*day - 50431 - 3600},
		{clock, "week", 0, "1996-03-25", -4*day - 50431, 3*day - 50431 - 3600},
		{clock, "week", 3*day - 50431 - 3600, "1996-04-01", 3*day - 50431 - 3600, 10*day - 50431 - 3600},
		{clock, "week", -30 * 365.25 * day, "1966-03-28", 0, 0},
		{clock, "month", 0, "1996-03", -28*day - 50431, 3*day - 50431 - 3600},
		{undated, "month", 31 * day, "days 30-59", 30 * day, 60 * day},
		{undated, "week", -1, "days -7--1", -7 * day, 0},
		{undated, "day", day, "day 1", day, 2 * day},
	} {
		calendar := Calendar{c.word, c.clock}
		n := calendar.Number(c.at)
		p, ok := calendar.Period(n)
		if c.to == 0 && c.from == 0 {
			p.From, p.To = 0, 0
		}
		if calendar.Label(n) != c.label || !ok || p.From != c.from || p.To != c.to {
			t.Errorf("%s of %g s: %s, %+v, want %s from %g to %g", c.word, c.at, calendar.Label(n), p, c.label, c.from, c.to)
		}
	}
	for word, want := range map[string]string{"weekday": "Sunday", "hour": "03:00"} { // there is no 2:00
		if calendar := (Calendar{word, clock}); calendar.Label(calendar.Number(2*day-50431+2*3600)) != want {
			t.Errorf("%s: %s", word, calendar.Label(calendar.Number(2*day-50431+2*3600)))
		}
	}
}
