package inspect

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// used is the usage of a log in the standard workload format.
func used(t *testing.T, text string) *Usage {
	t.Helper()
	d, err := Describe(t.Context(), open(t, text), DescribeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Use(t.Context(), open(t, text), d)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// swfJob is a line of the standard workload format.
func swfJob(submit, wait, run, size, status, user, queue int) string {
	return fmt.Sprintf("1 %d %d %d %d -1 -1 %d -1 -1 %d %d -1 -1 %d -1 -1 -1\n", submit, wait, run, size, size, status, user, queue)
}

// Five days from Monday 1 January 2024 on: at each midnight a job of two of the four
// processors that waits one hour longer than the day before and runs for 12 hours;
// then, as the last submission, one of four processors that fails.
func fiveDays() string {
	text := "; MaxProcs: 4\n; UnixStartTime: 1704067200\n; TimeZoneString: UTC\n; User: 1 alice\n"
	for d := range 5 {
		text += swfJob(d*86400, d*3600, 43200, 2, 1, 1, 3)
	}
	return text + swfJob(5*86400, 0, 3600, 4, 0, 2, 4)
}

func TestUseByHand(t *testing.T) {
	u := used(t, fiveDays())
	// Each day 2*12 of 4*24 processor hours are used, and the last job starts as the
	// log ends.
	if u.Utilisation != 0.25 || u.Unplaced != 0 || math.Abs(float64(u.Failed)-1.0/6) > 1e-15 {
		t.Errorf("utilisation %v, unplaced %v, failed %v; want 0.25, 0 and 1/6", u.Utilisation, u.Unplaced, u.Failed)
	}
	// Waits of 0, 0, 1, 2, 3 and 4 h; the 0.9 quantile is half-way between 3 and 4 h.
	if w := u.Waits; w.Jobs != 6 || w.Mean != 6000 || w.Median != 5400 || w.Q90 != 12600 {
		t.Errorf("waits %+v", w)
	}
	if u.Width != 3600 || len(u.Intervals) != 121 {
		t.Fatalf("%d intervals of %v s, want 121 hours", len(u.Intervals), u.Width)
	}
	// On the fourth day the job waits from 0 to 3 h and runs up to 15 h.
	for hour, want := range map[int][4]float64{72: {1, 6, 0, 1}, 74: {0, 0, 0, 1}, 75: {0, 0, 0.5, 0}, 86: {0, 0, 0.5, 0}, 87: {0, 0, 0, 0}} {
		i := u.Intervals[hour]
		if got := [4]float64{float64(i.Jobs), float64(i.Load), float64(i.Utilisation), float64(i.JobsWaiting)}; got != want {
			t.Errorf("hour %d: %v, want %v", hour, got, want)
		}
	}
	if u.Intervals[72].Start != 3*86400 || u.Intervals[120].Covered != 0 {
		t.Errorf("an hour from %v, the last covered for %v s", u.Intervals[72].Start, u.Intervals[120].Covered)
	}
	if u.Unit != "day" || len(u.Periods) != 6 {
		t.Fatalf("%d periods of a %s, want 6 days", len(u.Periods), u.Unit)
	}
	if p := u.Periods[3]; p.Label != "2024-01-04" || !p.Complete || p.Jobs != 1 || p.JobsPerDay != 1 || p.Users != 1 || p.Load != 0.25 || p.Utilisation != 0.25 || p.WaitMedian != 3*3600 || p.Failed != 0 {
		t.Errorf("the fourth day is %+v", p)
	}
	if u.Periods[5].Complete {
		t.Error("the day of the last submission is complete")
	}
	changes := map[string]Change{}
	for _, c := range u.Changes {
		changes[c.Measure] = c
	}
	// The fifth day's wait of 4 h against 0, 1, 2 and 3 h.
	if c, want := changes["wait_median_s"], (Change{"wait_median_s", "2024-01-05", 14400, 5400, 0, 10800, 4, "above"}); c != want {
		t.Errorf("change of waits %+v, want %+v", c, want)
	}
	if c, want := changes["wait_mean_s"], (Change{"wait_mean_s", "2024-01-05", 14400, 5400, 0, 10800, 4, "above"}); c != want {
		t.Errorf("change of mean waits %+v, want %+v", c, want)
	}
	if c := changes["jobs_per_day"]; c.Last != 1 || c.Median != 1 || c.Beyond != "" {
		t.Errorf("change of jobs %+v", c)
	}
	if len(u.BySize) != 1 || u.BySize[0].Name != "2-4" || u.BySize[0].Jobs != 6 {
		t.Errorf("by size %+v", u.BySize)
	}
	// 5*2*12 of those and 4*1 processor hours.
	if s := u.Users; s.Distinct != 2 || s.Top[0].Name != "alice" || s.Top[0].Work != 120*3600 || math.Abs(float64(s.Top[0].WorkPct)-120.0/124) > 1e-15 || math.Abs(float64(s.Top[1].JobsPct)-1.0/6) > 1e-15 {
		t.Errorf("users %+v", s)
	}
	if u.Accounts != nil {
		t.Errorf("accounts %+v of a format that has none", u.Accounts)
	}
}

// Periods are months by the clock of the site where eight are complete, which those from
// January to August are after 244 days of 2024, or eight times four weeks.
func TestUsePeriods(t *testing.T) {
	log := func(header string, days int) string {
		text := "; MaxProcs: 8\n" + header
		for d := range days {
			text += swfJob(d*86400+3600, 0, 600, 1, 1, 1, 1)
		}
		return text
	}
	dated := "; UnixStartTime: 1704063600\n; TimeZoneString: Europe/Stockholm\n" // midnight, 1 January
	for _, c := range []struct {
		header, unit, first string
		days, periods       int
	}{
		{dated, "month", "2024-01", 260, 9},
		{dated, "week", "2024-01-01", 230, 33}, // seven months are complete
		{dated, "week", "2024-01-01", 100, 15},
		{dated, "day", "2024-01-01", 10, 10},
		{dated, "month", "2024-01", 366 * 6, 73},
		{dated, "", "", 3, 0},
		{"", "month", "days 0-29", 250, 9},
		{"", "week", "week from day 1", 200, 29},
		{"", "day", "day from day 1", 6, 6},
	} {
		u := used(t, log(c.header, c.days))
		if u.Unit != c.unit || len(u.Periods) != c.periods || c.periods > 0 && u.Periods[0].Label != c.first {
			t.Errorf("%d days of %q: %d periods of a %q, want %d of a %q: %+v", c.days, c.header, len(u.Periods), u.Unit, c.periods, c.unit, u.Periods)
		}
	}
	// The last Sunday of March 2024 has 23 hours.
	u := used(t, log(dated, 260))
	if april := u.Periods[3]; april.From != (31+29+31)*86400-3600 {
		t.Errorf("April is from %v s on", april.From)
	}
}

// What a log does not have is unknown, not 0.
func TestUseOfPoorLogs(t *testing.T) {
	for name, text := range map[string]string{
		"empty":         "; MaxProcs: 4\n",
		"no submission": "; MaxProcs: 4\n" + swfJob(-1, -1, 60, 1, 1, 1, 1),
		"one job":       "; MaxProcs: 4\n" + swfJob(0, 5, 60, 1, 1, 1, 1),
	} {
		u := used(t, text)
		if isNumber(u.Utilisation) && u.Utilisation != 0 || len(u.Periods) > 0 || len(u.Changes) > 0 {
			t.Errorf("%s: %+v", name, u)
		}
	}
	noRuns := used(t, strings.ReplaceAll(fiveDays(), " 43200 ", " -1 "))
	noMachine := used(t, strings.ReplaceAll(fiveDays(), "; MaxProcs: 4\n", ""))
	if i := noMachine.Intervals[75]; isNumber(noMachine.Utilisation) || isNumber(i.Load) || isNumber(i.Utilisation) || i.JobsWaiting != 0 {
		t.Errorf("without a machine: %v, %+v", noMachine.Utilisation, i)
	}
	if name := noMachine.BySize[0].Name; name != "2-8" {
		t.Errorf("sizes without a machine: %s", name)
	}
	// Jobs without a run time have no work that could be lacking.
	if noRuns.Unplaced != 0 || len(noMachine.Changes) == 0 {
		t.Errorf("unplaced %v, %d changes", noRuns.Unplaced, len(noMachine.Changes))
	}
	// The job whose wait is unknown has 30 of the 31 hours of work.
	one := used(t, "; MaxProcs: 4\n"+swfJob(0, -1, 108000, 4, 1, 1, 3)+swfJob(5*86400, 0, 3600, 4, 1, 1, 3))
	if math.Abs(float64(one.Unplaced)-30./31) > 1e-15 || used(t, fiveDays()).Unplaced != 0 {
		t.Errorf("unplaced %v, want 30/31", one.Unplaced)
	}
	text := "; MaxProcs: 4\n"
	for d := range 6 {
		text += swfJob(d*86400, -1, 600, 1, -1, -1, -1)
	}
	bare := used(t, text)
	if i := bare.Intervals[1]; isNumber(bare.Utilisation) || isNumber(i.JobsWaiting) || isNumber(bare.Failed) || bare.Users != nil || bare.Waits.Jobs != 0 || len(bare.BySize) != 0 {
		t.Errorf("without waits: %+v, %+v", bare, i)
	}
	if i := bare.Intervals[24]; i.Load != 600.0/(4*3600) {
		t.Errorf("load %v", i.Load)
	}
}
