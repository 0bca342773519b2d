package reshape

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
)

// nightly is a log of so many days, in New York across the end of summer time
// (27 October 1996), of a script that submits at 3:30 every day, and of the
// same user's jobs at other times: minute of the day and how many of them.
func nightly(days int, at map[int]int) string {
	const midnight = 844228800 // 2 October 1996, 0:00 EDT
	type job struct{ submit, minute int }
	var jobs []job
	for day := range days {
		for minute, n := range at {
			for i := range n {
				submit := day*86400 + minute*60 + i
				if day > 25 || day == 25 && minute >= 120 {
					submit += 3600 // 27 October, day 25, has 25 hours
				}
				jobs = append(jobs, job{submit, minute})
			}
		}
	}
	sort.Slice(jobs, func(i, j int) bool { return jobs[i].submit < jobs[j].submit })
	var b strings.Builder
	fmt.Fprintf(&b, "; UnixStartTime: %d\n; TimeZoneString: America/New_York\n", midnight)
	for i, j := range jobs {
		// The minute goes along as the executable, for the tests to see.
		fmt.Fprintf(&b, "%d %d 0 10 1 -1 -1 1 60 -1 1 5 1 %d 1 1 -1 -1\n", i+1, j.submit, j.minute)
	}
	return b.String()
}

func TestDailyPeak(t *testing.T) {
	for _, c := range []struct {
		name, filter string
		at           map[int]int // minute of the day: jobs a day, for 50 days
		want         map[int]int // slot: jobs that stay in all
	}{
		{"capped at the slots beside", "daily-peak", map[int]int{180: 1, 210: 10, 245: 1}, map[int]int{6: 50, 7: 50, 8: 50}},
		{"removed", "daily-peak action=remove", map[int]int{180: 1, 210: 10, 245: 1}, map[int]int{6: 50, 8: 50}},
		{"one side only: the mean is half", "daily-peak", map[int]int{180: 1, 210: 10}, map[int]int{6: 50, 7: 25}},
		{"nothing beside", "daily-peak", map[int]int{90: 1, 210: 3}, map[int]int{3: 50}},
		{"two slots", "daily-peak", map[int]int{150: 1, 185: 10, 210: 10, 245: 1}, map[int]int{5: 50, 6: 50, 7: 50, 8: 50}},
		// The first by itself would be one too, capped at half the second.
		{"the widest counts", "daily-peak", map[int]int{90: 1, 185: 100, 210: 10}, map[int]int{3: 50}},
		{"two slots, but only one allowed", "daily-peak width=1", map[int]int{185: 10, 210: 10}, map[int]int{6: 500, 7: 500}},
		{"three slots", "daily-peak", map[int]int{185: 10, 210: 10, 240: 10}, map[int]int{6: 500, 7: 500, 8: 500}},
		// 23:00 has 50, 23:30 has 400, 0:00 has 450, 0:30 has none.
		{"around midnight", "daily-peak", map[int]int{1400: 1, 1430: 8, 0: 8, 20: 1}, map[int]int{46: 50, 47: 25, 0: 25}},
		{"just enough more", "daily-peak factor=10", map[int]int{180: 1, 210: 10, 245: 1}, map[int]int{6: 50, 7: 50, 8: 50}},
		{"not enough more", "daily-peak factor=10.1", map[int]int{180: 1, 210: 10, 245: 1}, map[int]int{6: 50, 7: 500, 8: 50}},
		{"just enough jobs", "daily-peak jobs=500", map[int]int{90: 1, 210: 10}, map[int]int{3: 50}},
		{"not enough jobs", "daily-peak jobs=501", map[int]int{210: 10}, map[int]int{7: 500}},
		{"just enough days", "daily-peak days=50", map[int]int{90: 1, 210: 10}, map[int]int{3: 50}},
		{"not enough days", "daily-peak days=51", map[int]int{210: 10}, map[int]int{7: 500}},
	} {
		got := clean(t, nightly(50, c.at), c.filter)
		stay := map[int]int{}
		for _, l := range got.lines {
			stay[atoi(strings.Fields(l)[13])/30]++
		}
		if d := cmp.Diff(c.want, stay); d != "" {
			t.Errorf("%s: jobs that stay by slot (-want +got):\n%s", c.name, d)
		}
	}
}

func atoi(s string) int {
	n := 0
	fmt.Sscan(s, &n)
	return n
}

// What stays of a capped peak is spread over the log, rows are those of the
// log even behind another filter, and the reason says what was found.
func TestDailyPeakCapSpread(t *testing.T) {
	got := clean(t, nightly(40, map[int]int{180: 1, 210: 10, 245: 1}), "app=180,245 and job<=120", "daily-peak")
	// Of 400 jobs stay (30+30)/2 = 30: one of about 13, also in each quarter.
	var quarters [4]int
	for _, l := range got.lines {
		f := strings.Fields(l)
		if f[13] == "210" {
			quarters[atoi(f[1])/86400/10]++
		}
	}
	if total := quarters[0] + quarters[1] + quarters[2] + quarters[3]; total != 30 {
		t.Errorf("%d jobs of the peak stay, want 30", total)
	}
	for i, n := range quarters {
		if n < 7 || n > 8 {
			t.Errorf("%d jobs stay in quarter %d, want 7 or 8 of 30", n, i)
		}
	}
	for _, r := range got.removed {
		if r.Row != r.Job {
			t.Fatalf("job %d is said to be in row %d", r.Job, r.Row)
		}
	}
	last := got.removed[len(got.removed)-1].Reason
	if want := "user=5 submitted 400 jobs on 40 days from 3:30 to 4:00; 30 stay"; last != want {
		t.Errorf("reason %q, want %q", last, want)
	}
}

// Without a start time there is a warning; jobs that have no user or no
// submission stay.
func TestDailyPeakUnknown(t *testing.T) {
	log := nightly(60, map[int]int{210: 3})
	_, log, _ = strings.Cut(log, "\n")
	_, log, _ = strings.Cut(log, "\n")
	got := clean(t, log, "daily-peak jobs=99 days=9")
	if ws := got.Outcomes[0].Warnings.List(); len(ws) != 1 || ws[0].Rule != "no-start" {
		t.Errorf("warnings %v", ws)
	}
	// Without summer time the first 25 days have 75 jobs at 3:30, the others 105
	// at 4:30.
	if n := len(got.removed); n != 105 {
		t.Errorf("removed %d, want 105", n)
	}
	j := workload.UnknownJob()
	for _, f := range []func(){func() {}, func() { j.User = 5 }, func() { j.User, j.Submit = workload.Unknown, 1e300 }} {
		f()
		d := dayCounts{users: map[int64]*userDay{}}
		d.add(&j, &Outcome{})
		if len(d.users) > 0 || d.surplus(&j) != "" {
			t.Errorf("counted %+v", j)
		}
	}
}
