package reshape

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// cleaned is what came of a log.
type cleaned struct {
	lines   []string // the jobs that stay, in the standard workload format
	removed []Removal
	*Cleaning
	header workload.Header
}

// clean passes a log in the standard workload format through filters.
func clean(t *testing.T, log string, filters ...string) cleaned {
	t.Helper()
	c, err := tryClean(t, log, filters...)
	if err != nil {
		t.Fatalf("%q: %v", filters, err)
	}
	return c
}

func tryClean(t *testing.T, log string, filters ...string) (cleaned, error) {
	t.Helper()
	l, err := logfile.OpenReader("test", strings.NewReader(log), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var fs []Filter
	for _, text := range filters {
		f, err := ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		fs = append(fs, f)
	}
	c := cleaned{header: l.Header.Clone()}
	c.Cleaning = NewCleaning(l.Header, fs, func(r Removal) error {
		c.removed = append(c.removed, r)
		return nil
	})
	c.Names = l.Names()
	for batch, err := range workload.Batches(c.Jobs(l.Jobs()), nil) {
		if err != nil {
			return c, err
		}
		text := strings.TrimSuffix(string(swf.Append(nil, batch)), "\n")
		c.lines = append(c.lines, strings.Split(text, "\n")...)
	}
	c.Record(&c.header, "a test")
	return c, nil
}

// ids are the job numbers of the lines.
func ids(lines []string) string {
	var s []string
	for _, l := range lines {
		id, _, _ := strings.Cut(l, " ")
		s = append(s, id)
	}
	return strings.Join(s, " ")
}

// reasons are removals as "job/row: reason".
func reasons(rs []Removal) []string {
	var s []string
	for _, r := range rs {
		s = append(s, fmt.Sprintf("%d/%d: %s", r.Job, r.Row, r.Reason))
	}
	return s
}

// five jobs of three users, on a Monday (1 January 2001) from midnight on.
const five = `; Computer: Abacus
; MaxJobs: 5
; MaxRecords: 5
; UnixStartTime: 978307200
; TimeZoneString: UTC
; EndTime: Tue Jan  2 04:00:00 UTC 2001
; Queue: 1 batch
; Queue: 2 "long jobs"
11 0 0 100 4 90.5 512 4 200 -1 1 1 1 1 1 1 -1 -1
12 3600 -1 0 -1 -1 -1 16 7200 -1 5 2 1 -1 2 1 11 30
13 14400 60 50000 2 -1 -1 2 60000 -1 0 1 1 2 2 1 -1 -1
14 86400 0 -1 1 -1 -1 1 60 -1 -1 3 2 2 1 2 -1 -1
15 90000 10 10790 8 -1 -1 8 10800 -1 1 -1 -1 1 1 2 -1 -1
`

// A filter sees what the one before it left; rows are those of the log; the
// header tells what was done, and what it says stays true.
func TestCleanComposes(t *testing.T) {
	got := clean(t, five, "status=5", "size>4", "keep  user=1,3")
	if want := "11 13 14"; ids(got.lines) != want {
		t.Errorf("left %s, want %s", ids(got.lines), want)
	}
	want := []Removal{
		{12, 2, "status=5", "status=5"},
		{15, 5, "size>4", "size=8"},
	}
	if d := cmp.Diff(want, got.removed); d != "" {
		t.Error(d)
	}
	wantHeader := strings.Split(` Computer: Abacus
 MaxJobs: 3
 MaxRecords: 3
 UnixStartTime: 978307200
 TimeZoneString: UTC
 EndTime: Tue Jan  2 00:00:00 UTC 2001
 Queue: 1 batch
 Queue: 2 "long jobs"
 Note: THIS IS A CLEANED VERSION OF THE LOG!
       The filters used to produce it were
         status=5 (1 job removed)
         size>4 (1 job removed)
         keep user=1,3 (0 jobs removed)
 Note: MaxJobs, MaxRecords and EndTime recomputed by a test`, "\n")
	if d := cmp.Diff(wantHeader, got.header.Lines); d != "" {
		t.Error(d)
	}
	// The Note reads as one value.
	if n := got.header.All("Note"); len(n) != 2 || strings.Count(n[0], "\n") != 4 {
		t.Errorf("notes %q", n)
	}
	if got.Records != 5 || got.Kept != 3 {
		t.Errorf("%d records, %d kept", got.Records, got.Kept)
	}
}

// A filter that takes nothing out leaves every number of the header alone.
func TestCleanNothing(t *testing.T) {
	got := clean(t, strings.Replace(five, "MaxJobs: 5", "MaxJobs: 5000", 1), "status=3")
	want := strings.Split(` Computer: Abacus
 MaxJobs: 5000
 MaxRecords: 5
 UnixStartTime: 978307200
 TimeZoneString: UTC
 EndTime: Tue Jan  2 04:00:00 UTC 2001
 Queue: 1 batch
 Queue: 2 "long jobs"
 Note: THIS IS A CLEANED VERSION OF THE LOG!
       The filter used to produce it was
         status=3 (0 jobs removed)`, "\n")
	if d := cmp.Diff(want, got.header.Lines); d != "" {
		t.Error(d)
	}
	// Every value of a kept job is as it was.
	_, jobs, _ := strings.Cut(five, "jobs\"\n")
	if d := cmp.Diff(strings.Split(strings.TrimSpace(jobs), "\n"), got.lines); d != "" {
		t.Error(d)
	}
}

// A log that ends by its own reckoning, behind its last job, still does when
// other jobs are taken out.
func TestCleanKeepsEnd(t *testing.T) {
	log := strings.Replace(five, "Tue Jan  2 04:00:00", "Tue Jan  2 23:59:59", 1)
	got := clean(t, log, "status=5")
	if end := got.header.Get("EndTime"); end != "Tue Jan  2 23:59:59 UTC 2001" || got.header.Get("MaxJobs") != "4" {
		t.Errorf("EndTime: %s, MaxJobs: %s", end, got.header.Get("MaxJobs"))
	}
}

// A removal that cannot be told of ends the stream.
func TestCleanRemovedFails(t *testing.T) {
	l, err := logfile.OpenReader("test", strings.NewReader(five), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	f, err := ParseFilter("job=15") // the last one: nothing follows that would notice
	if err != nil {
		t.Fatal(err)
	}
	c := NewCleaning(l.Header, []Filter{f}, func(Removal) error { return full })
	var last error
	for _, err := range c.Jobs(l.Jobs()) {
		last = err
	}
	if !errors.Is(last, full) {
		t.Errorf("ended with %v, want %v", last, full)
	}
}

// Each filter passes an error of the log on, and stops when nobody listens.
func TestCleanErrorsAndStops(t *testing.T) {
	broken := errors.New("broken log")
	for _, text := range []string{"user=77", "window from=0", "failed-at-start", "duplicates", "partials", "flurries"} {
		f, err := ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		c := NewCleaning(workload.Header{}, []Filter{f}, nil)
		n, last := 0, error(nil)
		for _, err := range c.Jobs(func(yield func(workload.Job, error) bool) {
			j := workload.UnknownJob()
			j.ID, j.Submit = 1, 0
			if yield(j, nil) {
				yield(workload.Job{}, broken)
			}
		}) {
			n++
			last = err
		}
		if !errors.Is(last, broken) || n > 2 {
			t.Errorf("%s: %d yields, then %v", text, n, last)
		}
		c = NewCleaning(workload.Header{}, []Filter{f}, nil)
		for range c.Jobs(func(yield func(workload.Job, error) bool) {
			for i := range int64(10) {
				j := workload.UnknownJob()
				j.ID, j.Row, j.Submit = i, i, float64(i*1e6)
				if !yield(j, nil) {
					return
				}
			}
		}) {
			break // yielding once more would panic
		}
	}
}
