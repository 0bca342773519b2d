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
	parts, err := Parts(100, 200, 4)
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[float64]int64{100: 0, 124.9: 0, 125: 1, 199: 3, 200: 3} {
		if n, ok := parts.Number(s); !ok || n != want {
			t.Errorf("%g is in part %d (%v), want %d", s, n, ok, want)
		}
	}
	if p := parts.Period(1); p.From != 125 || p.To != 150 || p.Label != "part 2 of 4" {
		t.Errorf("period %+v", p)
	}
	for _, s := range []float64{99, 201, math.NaN(), math.Inf(1)} {
		if _, ok := parts.Number(s); ok {
			t.Errorf("%g is in a part", s)
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
	if _, err := Parts(3, 3, 2); err == nil {
		t.Error("no time is divided")
	}
	if _, err := Parts(3, 4, 0); err == nil {
		t.Error("time is divided into 0 parts")
	}
	var jobs []Job
	for _, at := range []float64{7, math.NaN(), -2, 9, 3} {
		j := UnknownJob()
		j.Submit = at
		jobs = append(jobs, j)
	}
	first, last, known, err := SubmitSpan(JobsOf(jobs))
	if first != -2 || last != 9 || !known || err != nil {
		t.Errorf("span from %g to %g (%v, %v), want -2 to 9", first, last, known, err)
	}
}
