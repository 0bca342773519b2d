package reshape

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// cleaned is the result of cleaning a log.
type cleaned struct {
	*Cleaned
	lines   []string // the jobs kept, in the standard workload format
	removed []Removal
}

// clean passes a log in the standard workload format through filters, given one per line.
func clean(t *testing.T, log, filters string) cleaned {
	t.Helper()
	c, err := tryClean(t, log, filters)
	if err != nil && !errors.Is(err, workload.ErrNoJobs) {
		t.Fatalf("%q: %v", filters, err)
	}
	return c
}

func tryClean(t *testing.T, log, filters string) (c cleaned, err error) {
	t.Helper()
	l := jobtest.Must(logfile.OpenReader("test", strings.NewReader(log), workload.Options{}))
	defer l.Close()
	c.Cleaned, err = Clean(t.Context(), l, parsed(t, filters), func(r Removal) error {
		c.removed = append(c.removed, r)
		return nil
	})
	if err != nil {
		return c, err
	}
	for batch, err := range workload.Batches(c.Jobs) {
		if err != nil {
			return c, err
		}
		text := strings.TrimSuffix(string(swf.Append(nil, batch)), "\n")
		c.lines = append(c.lines, strings.Split(text, "\n")...)
	}
	return c, nil
}

func parsed(t *testing.T, filters string) (all []Filter) {
	t.Helper()
	for _, text := range strings.Split(filters, "\n") {
		f, err := ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// ids returns the numbers of the jobs removed.
func (c cleaned) ids() string {
	var s []string
	for _, r := range c.removed {
		s = append(s, fmt.Sprint(r.Job))
	}
	return strings.Join(s, " ")
}

// reasons returns the removals as "job/row: reason", one per line.
func (c cleaned) reasons() string {
	var s []string
	for _, r := range c.removed {
		s = append(s, fmt.Sprintf("%d/%d: %s", r.Job, r.Row, r.Reason))
	}
	return strings.Join(s, "\n")
}

// five is a log of five jobs of three users, from midnight of a Monday (1 January 2001) on.
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

// A filter that removes nothing leaves all numbers in the header and all values of jobs unchanged.
func TestCleanOfNothing(t *testing.T) {
	log := strings.Replace(five, "MaxJobs: 5", "MaxJobs: 5000", 1)
	got := clean(t, log, "status=3")
	wantHeader := strings.ReplaceAll(strings.TrimPrefix(log[:strings.Index(log, "11 0")], ";"), "\n;", "\n") + ` Note: THIS IS A CLEANED VERSION OF THE LOG!
       The filter used to produce it was
         status=3 (0 jobs removed)`
	if d := gocmp.Diff(wantHeader, strings.Join(got.Header("a test").Lines, "\n")); d != "" {
		t.Error(d)
	}
	_, jobs, _ := strings.Cut(five, "jobs\"\n")
	if d := gocmp.Diff(strings.TrimSpace(jobs), strings.Join(got.lines, "\n")); d != "" {
		t.Error(d)
	}
}

// A removal that cannot be reported ends the stream; so does an error of the log. The stream stops
// when its consumer does.
func TestCleanErrorsAndStops(t *testing.T) {
	full, broken := errors.New("disk full"), errors.New("broken log")
	cleaned := func(log *workload.Log, filters string, told error) *Cleaned {
		c, err := Clean(t.Context(), log, parsed(t, filters), func(Removal) error { return told })
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	log, _ := opening("", numbered(5, 1))()
	// The last job: no job follows after which the error could be noticed.
	if err := failing(cleaned(log, "job=4", full).Jobs); err != full {
		t.Errorf("ended with %v, want %v", err, full)
	}
	faulty, reading := workload.NewLog("log", "test")
	reading.Batches = func(yield func(*workload.Batch, error) bool) {
		b := &workload.Batch{}
		b.Append(&numbered(1, 1)[0])
		if yield(b, nil) {
			yield(nil, broken)
		}
	}
	n, last := 0, error(nil)
	for _, err := range cleaned(faulty, "user=77\nduplicates", nil).Jobs {
		n++
		last = err
	}
	if last != broken || n > 2 {
		t.Errorf("%d yields, then %v", n, last)
	}
	log, _ = opening("", numbered(5, 1))()
	for range cleaned(log, "user=77\nduplicates", nil).Jobs {
		break // yielding again would panic
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
	for filter, want := range map[string]string{
		"duplicates": "7/3: repeats row 1\n7/5: repeats row 1",
		// Parts share their job's number, and a job without a number has no duplicate.
		"duplicates(by=id)": "7/3: repeats row 1\n7/4: repeats row 1\n7/5: repeats row 1",
	} {
		if d := gocmp.Diff(want, clean(t, log, filter).reasons()); d != "" {
			t.Errorf("%s: %s", filter, d)
		}
	}
	for _, c := range []struct {
		f    Filter
		want int
	}{
		{duplicates(duplicatesOfAll, 2), 1}, // row 3 repeats row 1; rows 2 and 4 are remembered then
		{duplicates(duplicatesOfID, 1), 2},  // row 3 comes too late, but is remembered: 4 and 5 repeat it
	} {
		l := jobtest.Must(logfile.OpenReader("test", strings.NewReader(log), workload.Options{}))
		if removed := removals(t, l, c.f); len(removed) != c.want {
			t.Errorf("%s: %v removed, want %d", c.f, removed, c.want)
		}
	}
}

// removals returns the jobs that a filter removes from a log.
func removals(t *testing.T, log *workload.Log, f Filter) (removed []Removal) {
	t.Helper()
	c, err := Clean(t.Context(), log, []Filter{f}, func(r Removal) error {
		removed = append(removed, r)
		return nil
	})
	if err == nil {
		err = failing(c.Jobs)
	}
	if err != nil {
		t.Fatal(err)
	}
	return removed
}

// Records that differ in any one column are not duplicates.
func TestDuplicatesEveryColumn(t *testing.T) {
	jobs := numbered(1, 1)
	for i := range workload.NumColumns {
		j := jobs[0]
		if c := workload.ColumnAt(i); c.Float() {
			c.SetNumber(&j, 7)
		} else {
			c.SetInt(&j, 7)
		}
		jobs = append(jobs, j)
	}
	for copies, want := range []int{0, workload.NumColumns + 1} {
		all := jobs
		if copies > 0 {
			all = append(all, all...)
		}
		log, _ := opening("", all)()
		if removed := removals(t, log, parsed(t, "duplicates")[0]); len(removed) != want {
			t.Errorf("%d removed of %d, want %d", len(removed), len(all), want)
		}
	}
}

// Compares totals on real logs with a count in Python (testdata/clean_reference.py), and checks
// that kept jobs are unchanged.
func TestCleanTraces(t *testing.T) {
	reference := readReference[struct {
		Logs map[string]struct {
			Jobs    int64
			Filters map[string]struct {
				Removed int64
				IDSum   int64 `json:"id_sum"`
			}
		}
	}](t, "clean_reference.json")
	for name, want := range reference.Logs {
		log := jobtest.Open(t, name)
		jobs, header := jobtest.Collect(t, log.Jobs()), log.Header
		if int64(len(jobs)) != want.Jobs {
			t.Errorf("%s: %d jobs, want %d", name, len(jobs), want.Jobs)
		}
		for filter, w := range want.Filters {
			removed, sum := cleanAll(t, header, jobs, filter)
			if removed != w.Removed || sum != w.IDSum {
				t.Errorf("%s: %s takes out %d jobs with numbers adding up to %d, want %d, %d", name, filter, removed, sum, w.Removed, w.IDSum)
			}
		}
		// Neither log has duplicates.
		for _, filter := range []string{"duplicates", "duplicates(by=id)"} {
			if removed, _ := cleanAll(t, header, jobs, filter); removed != 0 {
				t.Errorf("%s: %s takes out %d jobs", name, filter, removed)
			}
		}
	}
}

// cleanAll returns the number of jobs that a filter removes, and the sum of their job numbers.
// Every job has to be either kept unchanged, in order, or reported.
func cleanAll(t *testing.T, h workload.Header, jobs []workload.Job, filter string) (removed, sum int64) {
	t.Helper()
	gone := map[int64]bool{}
	c, err := Clean(t.Context(), workload.LogOf("log", h, jobs), parsed(t, filter), func(r Removal) error {
		if r.Job != jobs[r.Row-1].ID || gone[r.Row-1] {
			t.Errorf("%s: removal %+v is of job %d, or told twice", filter, r, jobs[r.Row-1].ID)
		}
		gone[r.Row-1] = true
		sum += r.Job
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	row := int64(0)
	for j, err := range c.Jobs {
		if err != nil {
			t.Fatal(err)
		}
		for ; row < j.Row; row++ {
			if !gone[row] {
				t.Fatalf("%s: row %d is neither kept nor told of", filter, row+1)
			}
		}
		if row != j.Row || !same(j, jobs[row]) {
			t.Fatalf("%s: row %d came as %+v, was %+v", filter, row+1, j, jobs[row])
		}
		row++
	}
	for ; row < int64(len(jobs)); row++ {
		if !gone[row] {
			t.Fatalf("%s: row %d is neither kept nor told of", filter, row+1)
		}
	}
	return c.Outcomes[0].Removed, sum
}
