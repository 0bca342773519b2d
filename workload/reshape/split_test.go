package reshape

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

func clockOf(t *testing.T, lines ...string) workload.Clock {
	t.Helper()
	c, note := (&workload.Header{Lines: lines}).Clock()
	if note != "" && len(lines) > 0 {
		t.Fatal(note)
	}
	return c
}

func submitted(times ...float64) (jobs []workload.Job) {
	for i, s := range times {
		j := workload.UnknownJob()
		j.ID, j.Submit = int64(i), s
		jobs = append(jobs, j)
	}
	return jobs
}

// parted is "value: job job; value: ..." of a division, and checks that every
// job is in exactly one part.
func parted(t *testing.T, d Division, err error, jobs []workload.Job) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	parts, err := d.Parts(seqFrom(jobs))
	if err != nil {
		t.Fatal(err)
	}
	in := make([][]string, len(parts))
	seen := map[int64]int{}
	err = d.Of(seqFrom(jobs), parts, func(i int, j *workload.Job) error {
		in[i] = append(in[i], fmt.Sprint(j.ID))
		seen[j.ID]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for i, p := range parts {
		if p.N != i+1 || p.Jobs != int64(len(in[i])) || p.Jobs == 0 {
			t.Errorf("part %d: number %d, %d jobs promised, %d there", i, p.N, p.Jobs, len(in[i]))
		}
		out = append(out, p.Value+": "+strings.Join(in[i], " "))
	}
	for _, j := range jobs {
		if seen[j.ID] != 1 {
			t.Errorf("job %d is in %d parts", j.ID, seen[j.ID])
		}
	}
	return strings.Join(out, "; ")
}

func TestDivideByHand(t *testing.T) {
	nan := math.NaN()
	none, _ := (&workload.Header{}).Clock()
	// 843480031 is Monday 23 September 1996, 14:00:31, in Stockholm; summer
	// time ends there on 27 October 1996 at 3:00, which is 2:00 again.
	kth := clockOf(t, " UnixStartTime: 843480031", " TimeZoneString: Europe/Stockholm")
	const toMidnight = 9*3600 + 59*60 + 29 // from 14:00:31
	toOctober27 := float64(toMidnight + 33*86400)
	every := func(s string) Interval {
		i, err := ParseInterval(s)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	for _, c := range []struct {
		name string
		make func() (Division, error)
		jobs []workload.Job
		want string
	}{
		{"at moments, the cut itself belongs behind", func() (Division, error) { return DivideAt([]float64{20, 10, 20}, none) },
			submitted(-5, 9.5, 10, 19, 20, 1e9, nan), "start: 0 1; 10s: 2 3; 20s: 4 5; unknown: 6"},
		{"at dates", func() (Division, error) { return DivideAt([]float64{toMidnight, toMidnight + 3600}, kth) },
			submitted(toMidnight-1, toMidnight, toMidnight+3600), "start: 0; 1996-09-24: 1; 1996-09-24T01-00-00: 2"},
		{"every hour from the start", func() (Division, error) { return DivideEvery(every("1h"), none) },
			submitted(0, 3599.5, 3600, 7300, -1, nan, math.Inf(1)), "-3600s: 4; 0s: 0 1; 3600s: 2; 7200s: 3; unknown: 5 6"},
		{"every day by the calendar", func() (Division, error) { return DivideEvery(every("1d"), kth) },
			submitted(0, toMidnight-1, toMidnight, toMidnight+86400), "1996-09-23: 0 1; 1996-09-24: 2; 1996-09-25: 3"},
		{"a day of 25 hours", func() (Division, error) { return DivideEvery(every("1d"), kth) },
			submitted(toOctober27-1, toOctober27, toOctober27+25*3600-1, toOctober27+25*3600), "1996-10-26: 0; 1996-10-27: 1 2; 1996-10-28: 3"},
		{"weeks begin on Monday", func() (Division, error) { return DivideEvery(every("1w"), kth) },
			submitted(0, toMidnight+6*86400-1, toMidnight+6*86400), "1996-09-23: 0 1; 1996-09-30: 2"},
		{"weeks before the start", func() (Division, error) { return DivideEvery(every("1w"), kth) },
			submitted(toMidnight-86400, toMidnight-86401, toMidnight-7*86400-86400, toMidnight-8*86400-1), "1996-09-09: 3; 1996-09-16: 1 2; 1996-09-23: 0"},
		{"weeks of a log without a date", func() (Division, error) { return DivideEvery(every("1w"), none) },
			submitted(0, 7*86400-1, 7*86400), "0s: 0 1; 604800s: 2"},
		{"months", func() (Division, error) { return DivideEvery(every("1month"), kth) },
			submitted(0, toMidnight+7*86400-1, toMidnight+7*86400, toOctober27), "1996-09: 0 1; 1996-10: 2 3"},
		{"quarters", func() (Division, error) { return DivideEvery(every("3month"), kth) },
			submitted(0, toOctober27, toOctober27+40*86400), "1996-09-01: 0 1; 1996-12-01: 2"},
		{"years", func() (Division, error) { return DivideEvery(every("1year"), kth) },
			submitted(0, toMidnight+98*86400+3600-1, toMidnight+99*86400+3600), "1996: 0 1; 1997: 2"},
		{"equal parts", func() (Division, error) { return DivideEqually(3, 8) },
			submitted(0, 1, 2, 3, 4, 5, 6, 7), "1: 0 1; 2: 2 3 4; 3: 5 6 7"},
		{"by user", func() (Division, error) { return DivideBy(byUser(t)), nil },
			func() []workload.Job { u := users(7, 3, workload.Unknown, 7, -4); return withIDs(u) }(), "-4: 4; 3: 1; 7: 0 3; unknown: 2"},
	} {
		d, err := c.make()
		if got := parted(t, d, err, c.jobs); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func withIDs(jobs []workload.Job) []workload.Job {
	for i := range jobs {
		jobs[i].ID = int64(i)
	}
	return jobs
}

func TestDividePartitionsExactly(t *testing.T) {
	clock := clockOf(t, " UnixStartTime: 843480031", " TimeZoneString: Europe/Stockholm")
	rapid.Check(t, func(r *rapid.T) {
		times := rapid.SliceOfN(rapid.Float64Range(-1e7, 1e8), 1, 60).Draw(r, "submissions")
		cuts := rapid.SliceOfN(rapid.Float64Range(-1e7, 1e8), 1, 9).Draw(r, "cuts")
		days := rapid.IntRange(50, 400).Draw(r, "days")
		jobs := submitted(times...)
		d, err := DivideAt(cuts, clock)
		parted(t, d, err, jobs)
		d, err = DivideEvery(Interval{Days: days}, clock)
		parted(t, d, err, jobs)
		d, err = DivideEvery(Interval{Months: days / 30}, clock)
		parted(t, d, err, jobs)
		d, err = DivideEvery(Interval{Seconds: float64(days) * 80000}, clock)
		parted(t, d, err, jobs)
		n := rapid.IntRange(1, len(times)).Draw(r, "parts")
		d, err = DivideEqually(n, int64(len(times)))
		parted(t, d, err, jobs)
		parts, _ := d.Parts(seqFrom(jobs))
		for _, p := range parts {
			if len(parts) != n || p.Jobs < int64(len(times)/n) || p.Jobs > int64(len(times)/n+1) {
				r.Fatalf("%d jobs in %d parts: got %+v", len(times), n, parts)
			}
		}
	})
}

func TestParseInterval(t *testing.T) {
	for s, want := range map[string]Interval{
		"90s": {Seconds: 90}, "30m": {Seconds: 1800}, "1.5h": {Seconds: 5400}, "1d": {Days: 1}, "2w": {Days: 14}, "3month": {Months: 3}, "2year": {Months: 24},
	} {
		got, err := ParseInterval(s)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: got %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "7", "d", "0d", "-1d", "1.5d", "1fortnight", "0.5s", "99999d", "1e3s", "1..2h", "99999999999999999999h"} {
		if got, err := ParseInterval(s); err == nil {
			t.Errorf("%q: got %+v, want an error", s, got)
		}
	}
}

func TestDivisionsThatCannotBe(t *testing.T) {
	none, _ := (&workload.Header{}).Clock()
	var all []error
	_, err := DivideEqually(0, 5)
	all = append(all, err)
	_, err = DivideEqually(6, 5)
	all = append(all, err)
	_, err = DivideEqually(MaxParts+1, 5000)
	all = append(all, err)
	_, err = DivideEvery(Interval{Months: 1}, none)
	all = append(all, err)
	_, err = DivideEvery(Interval{}, none)
	all = append(all, err)
	_, err = DivideAt([]float64{math.NaN()}, none)
	all = append(all, err)
	var times []float64
	for i := range MaxParts + 1 {
		times = append(times, float64(i))
	}
	d, err := DivideEvery(Interval{Seconds: 1}, none)
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Parts(seqFrom(submitted(times...)))
	all = append(all, err)
	if i := slices.Index(all, nil); i >= 0 {
		t.Errorf("case %d: no error", i)
	}
}

func TestDivideKTH(t *testing.T) {
	jobs, h := kth(t)
	clock, _ := h.Clock()
	d, err := DivideEvery(Interval{Months: 1}, clock)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := d.Parts(seqFrom(jobs))
	if err != nil {
		t.Fatal(err)
	}
	// By Python's datetime with zoneinfo, over the second fields of the lines.
	want := []string{"1996-09 92", "1996-10 2407", "1996-11 1984", "1996-12 2308", "1997-01 2931", "1997-02 2924",
		"1997-03 2081", "1997-04 2854", "1997-05 4081", "1997-06 2702", "1997-07 2185", "1997-08 1927"}
	var got []string
	for _, p := range parts {
		got = append(got, fmt.Sprintf("%s %d", p.Value, p.Jobs))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
