package inspect

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// used returns the usage of a log in the standard workload format.
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

// swfJob returns a line in the standard workload format.
func swfJob(submit, wait, run, size, status, user, queue int) string {
	return fmt.Sprintf("1 %d %d %d %d -1 -1 %d -1 -1 %d %d -1 -1 %d -1 -1 -1\n", submit, wait, run, size, size, status, user, queue)
}

// fiveDays returns a log of five days from Monday 1 January 2024 on. At each midnight a job on two
// of the four processors is submitted that waits one hour longer than the day before and runs for
// 12 hours; the last submission is a job on four processors that fails.
func fiveDays() string {
	text := "; MaxProcs: 4\n; UnixStartTime: 1704067200\n; TimeZoneString: UTC\n"
	for d := range 5 {
		text += swfJob(d*86400, d*3600, 43200, 2, 1, 1, 3)
	}
	return text + swfJob(5*86400, 0, 3600, 4, 0, 2, 4)
}

func TestUseByHand(t *testing.T) {
	u := used(t, fiveDays())
	// Each day 2*12 of 4*24 processor hours are used, and the last job starts when the log ends.
	if u.Utilisation != 0.25 || u.Unplaced != 0 || math.Abs(float64(u.Failed)-1.0/6) > 1e-15 {
		t.Errorf("utilisation %v, unplaced %v, failed %v; want 0.25, 0 and 1/6", u.Utilisation, u.Unplaced, u.Failed)
	}
	// Waits of 0, 0, 1, 2, 3 and 4 h; the 0.9 quantile is halfway between 3 and 4 h.
	if w := u.Waits; w.Jobs != 6 || w.Median != 5400 || w.Q90 != 12600 {
		t.Errorf("waits %+v", w)
	}
	if u.Width != 3600 || len(u.Intervals) != 121 {
		t.Fatalf("%d intervals of %v s, want 121 hours", len(u.Intervals), u.Width)
	}
	// On the fourth day the job waits from 0 to 3 h and runs until 15 h.
	for hour, want := range map[int][3]float64{72: {6, 0, 1}, 74: {0, 0, 1}, 75: {0, 0.5, 0}, 86: {0, 0.5, 0}, 87: {0, 0, 0}} {
		i := u.Intervals[hour]
		if got := [3]float64{i.Load, i.Utilisation, i.JobsWaiting}; got != want {
			t.Errorf("hour %d: %v, want %v", hour, got, want)
		}
	}
	if u.Intervals[72].Start != 3*86400 || u.Intervals[120].Covered != 0 {
		t.Errorf("an hour from %v, the last covered for %v s", u.Intervals[72].Start, u.Intervals[120].Covered)
	}
	// Five jobs of 24 processor hours and one of 4 in the first week.
	long := used(t, fiveDays()+swfJob(400*86400, 0, 1, 1, 1, 1, 1))
	if i := long.Intervals[0]; long.Width != 7*86400 || i.Utilisation != 124*3600/(4*7*86400.) {
		t.Errorf("%v s: %+v", long.Width, i)
	}
}

// Data that a log does not have are unknown, not 0.
func TestUseOfPoorLogs(t *testing.T) {
	for name, text := range map[string]string{
		"empty":         "; MaxProcs: 4\n",
		"no submission": "; MaxProcs: 4\n" + swfJob(-1, -1, 60, 1, 1, 1, 1),
		"one job":       "; MaxProcs: 4\n" + swfJob(0, 5, 60, 1, 1, 1, 1),
	} {
		u := used(t, text)
		if isNumber(u.Utilisation) && u.Utilisation != 0 {
			t.Errorf("%s: %+v", name, u)
		}
	}
	noRuns := used(t, strings.ReplaceAll(fiveDays(), " 43200 ", " -1 "))
	noMachine := used(t, strings.ReplaceAll(fiveDays(), "; MaxProcs: 4\n", ""))
	if i := noMachine.Intervals[75]; isNumber(noMachine.Utilisation) || isNumber(i.Load) || isNumber(i.Utilisation) || i.JobsWaiting != 0 {
		t.Errorf("without a machine: %v, %+v", noMachine.Utilisation, i)
	}
	// Jobs without a run time have no work that could be missing.
	if noRuns.Unplaced != 0 {
		t.Errorf("unplaced %v, want 0", noRuns.Unplaced)
	}
	// The job whose wait is unknown accounts for 30 of the 31 hours of work.
	one := used(t, "; MaxProcs: 4\n"+swfJob(0, -1, 108000, 4, 1, 1, 3)+swfJob(5*86400, 0, 3600, 4, 1, 1, 3))
	if math.Abs(float64(one.Unplaced)-30./31) > 1e-15 || used(t, fiveDays()).Unplaced != 0 {
		t.Errorf("unplaced %v, want 30/31", one.Unplaced)
	}
	text := "; MaxProcs: 4\n"
	for d := range 6 {
		text += swfJob(d*86400, -1, 600, 1, -1, -1, -1)
	}
	bare := used(t, text)
	if i := bare.Intervals[1]; isNumber(bare.Utilisation) || isNumber(i.JobsWaiting) || isNumber(bare.Failed) || bare.Waits.Jobs != 0 {
		t.Errorf("without waits: %+v, %+v", bare, i)
	}
	if i := bare.Intervals[24]; i.Load != 600.0/(4*3600) {
		t.Errorf("load %v", i.Load)
	}
}

// A log that grew after it was described has jobs outside the period that was determined.
func TestUseOfALogThatGrew(t *testing.T) {
	d, err := Describe(t.Context(), open(t, fiveDays()), DescribeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, submit := range []int{-86400, 400 * 86400} {
		grown := fiveDays() + swfJob(submit, 0, 60, 1, 1, 1, 1)
		if _, err := Use(t.Context(), open(t, grown), d); err != errChanged {
			t.Errorf("a job at %d s: %v, want %v", submit, err, errChanged)
		}
	}
}
