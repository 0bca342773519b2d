package workload

import (
	"math"
	"strings"
	"testing"
)

// moment returns the second of a log at a date or a number.
func moment(t *testing.T, clock Clock, text string) float64 {
	t.Helper()
	seconds, err := clock.Moment("at", text)
	if err != nil {
		t.Fatal(err)
	}
	return seconds
}

func TestPeriods(t *testing.T) {
	clock, _ := headerOf("UnixStartTime: 820090437\nTimeZoneString: US/Pacific").Clock() // 1995-12-27, 10:53:57
	months, err := Months(clock, 4)
	if err != nil {
		t.Fatal(err)
	}
	const cases = `
0 | 1995-09 to 1995-12
1995-12-31T23:59:59 | 1995-09 to 1995-12
1996-01-01 | 1996-01 to 1996-04
1996-04-30T23:59:59 | 1996-01 to 1996-04
1996-05-01 | 1996-05 to 1996-08
`
	for _, c := range rowsOf(cases) {
		s := moment(t, clock, c[0])
		n, ok := months.Number(s)
		p := months.Period(n)
		if !ok || p.Label != c[1] || !(p.From <= s && s < p.To) {
			t.Errorf("%s (%g s) is in %+v, want %s", c[0], s, p, c[1])
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

// Weeks begin on Mondays in the site's local time, also across the change to summer time on Sunday
// 31 March 1996, and before 1970; those of a log without dates count from its start. Each row has a
// clock, a calendar, a time, its label and, for periods that do not recur, their start and end.
func TestCalendars(t *testing.T) {
	const cases = `
zurich | day | 0 | 1996-03-29 | -50431 | 35969
zurich | day | 1996-03-31 | 1996-03-31 | 122369 | 205169
zurich | week | 0 | 1996-03-25 | -396031 | 205169
zurich | week | 1996-04-01 | 1996-04-01 | 205169 | 809969
zurich | week | 1966-03-30 | 1966-03-28 | 1966-03-28 | 1966-04-04
zurich | month | 0 | 1996-03 | 1996-03-01 | 205169
zurich | weekday | 1996-03-31T03:00 | Sunday
zurich | hour | 129569 | 03:00
undated | month | 2678400 | days 30-59 | 2592000 | 5184000
undated | week | -1 | days -7--1 | -604800 | 0
undated | day | 86400 | day 1 | 86400 | 172800
`
	zurich, _ := headerOf("UnixStartTime: 828104431\nTimeZoneString: Europe/Zurich").Clock() // 1996-03-29, 14:00:31
	undated, _ := new(Header).Clock()
	clocks := map[string]Clock{"zurich": zurich, "undated": undated}
	for _, c := range rowsOf(cases) {
		clock := clocks[c[0]]
		calendar := Calendar{c[1], clock}
		n := calendar.Number(moment(t, clock, c[2]))
		if got := calendar.Label(n); got != c[3] {
			t.Errorf("%s: %s, want %s", strings.Join(c, " "), got, c[3])
		}
		if len(c) > 4 {
			if p, ok := calendar.Period(n); !ok || p.From != moment(t, clock, c[4]) || p.To != moment(t, clock, c[5]) {
				t.Errorf("%s: %+v", strings.Join(c, " "), p)
			}
		}
	}
}
