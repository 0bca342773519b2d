package reshape

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWindow(t *testing.T) {
	const nowhen = "16 -1 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1\n"
	for _, c := range []struct {
		filter string
		want   []string
	}{
		{"window from=3600 to=1d", []string{
			"11/1: submitted at 0 s, before the window",
			"14/4: submitted at 86400 s, behind the window",
			"15/5: submitted at 90000 s, behind the window",
			"16/6: submission unknown"}},
		{"window from=2001-01-02", []string{
			"11/1: submitted at 0 s, before the window",
			"12/2: submitted at 3600 s, before the window",
			"13/3: submitted at 14400 s, before the window",
			"16/6: submission unknown"}},
		{"window to=2001-01-02T01:00:01", []string{"16/6: submission unknown"}},
	} {
		got := clean(t, five+nowhen, c.filter)
		if d := cmp.Diff(c.want, reasons(got.removed)); d != "" {
			t.Errorf("%s: %s", c.filter, d)
		}
	}
}

// Each status with each kind of run time.
func TestFailedAtStart(t *testing.T) {
	const log = `1 0 0 0 1 -1 -1 1 9 -1 0 1 1 1 1 1 -1 -1
2 0 0 -1 1 -1 -1 1 9 -1 0 1 1 1 1 1 -1 -1
3 0 0 5 1 -1 -1 1 9 -1 0 1 1 1 1 1 -1 -1
4 0 0 0 1 -1 -1 1 9 -1 5 1 1 1 1 1 -1 -1
5 0 0 -1 1 -1 -1 1 9 -1 5 1 1 1 1 1 -1 -1
6 0 0 0 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
7 0 0 -1 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
8 0 0 0 1 -1 -1 1 9 -1 -1 1 1 1 1 1 -1 -1
9 0 0 0 1 -1 -1 1 9 -1 4 1 1 1 1 1 -1 -1
`
	want := []string{"1/1: failed, run time 0 s", "2/2: failed, run time unknown", "4/4: cancelled, run time 0 s", "5/5: cancelled, run time unknown"}
	if d := cmp.Diff(want, reasons(clean(t, log, "failed-at-start").removed)); d != "" {
		t.Error(d)
	}
	want = append(want[:2:2], "3/3: failed, run time 5 s", want[2], want[3])
	for filter, want := range map[string][]string{
		"failed-at-start run=5":   want,
		"failed-at-start run=4.9": {want[0], want[1], want[3], want[4]},
	} {
		if d := cmp.Diff(want, reasons(clean(t, log, filter).removed)); d != "" {
			t.Errorf("%s: %s", filter, d)
		}
	}
}

func TestDuplicates(t *testing.T) {
	const log = `7 0 0 10 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
8 0 0 10 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
7 0 0 10 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
7 0 0 11 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
7 0 0 10 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
-1 0 0 10 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
-1 0 0 10 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
9 0 0 10 1 -1 -1 1 9 -1 2 1 1 1 1 1 -1 -1
9 0 0 11 1 -1 -1 1 9 -1 3 1 1 1 1 1 -1 -1
`
	for _, c := range []struct {
		filter string
		want   []string
	}{
		{"duplicates", []string{"7/3: repeats row 1", "7/5: repeats row 1"}},
		// Parts share their job's number, and a job without one has no double.
		{"duplicates by=id", []string{"7/3: repeats row 1", "7/4: repeats row 1", "7/5: repeats row 1"}},
		// Row 3 repeats row 1; what it remembers then is rows 2 and 4.
		{"duplicates within=2", []string{"7/3: repeats row 1"}},
		// With one record to look back, row 3 comes too late, but is remembered.
		{"duplicates by=id within=1", []string{"7/4: repeats row 3", "7/5: repeats row 3"}},
	} {
		if d := cmp.Diff(c.want, reasons(clean(t, log, c.filter).removed)); d != "" {
			t.Errorf("%s: %s", c.filter, d)
		}
	}
}

// A difference in any one field makes a record another.
func TestDuplicatesEveryField(t *testing.T) {
	base := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "1", "12", "13", "14", "15", "16", "17", "18"}
	var log string
	line := func(f []string) {
		for i, x := range f {
			if i > 0 {
				log += " "
			}
			log += x
		}
		log += "\n"
	}
	line(base)
	for i := range base {
		other := append([]string(nil), base...)
		other[i] = "20"
		line(other)
		other[i] = "-1"
		line(other)
	}
	if got := clean(t, log, "duplicates"); len(got.removed) != 0 {
		t.Errorf("took out %q", reasons(got.removed))
	}
	if got := clean(t, log+log, "duplicates"); len(got.removed) != 36 {
		// All 37 but the one without a number.
		t.Errorf("took out %d, want 36", len(got.removed))
	}
}
