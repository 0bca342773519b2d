package reshape

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// cleaned is what came of a log.
type cleaned struct {
	*Cleaned
	lines   []string // the jobs that stay, in the standard workload format
	removed []Removal
}

// clean passes a log in the standard workload format through filters, which stand one a line.
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
	l, err := logfile.OpenReader("test", strings.NewReader(log), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c.Cleaned = Clean(t.Context(), l, parsed(t, filters), func(r Removal) error {
		c.removed = append(c.removed, r)
		return nil
	})
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

// ids are the numbers of the jobs removed.
func (c cleaned) ids() string {
	var s []string
	for _, r := range c.removed {
		s = append(s, fmt.Sprint(r.Job))
	}
	return strings.Join(s, " ")
}

// reasons are removals as "job/row: reason", one a line.
func (c cleaned) reasons() string {
	var s []string
	for _, r := range c.removed {
		s = append(s, fmt.Sprintf("%d/%d: %s", r.Job, r.Row, r.Reason))
	}
	return strings.Join(s, "\n")
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

// A filter that takes nothing out leaves every number of the header alone, and every value of
// a job.
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

// A removal that cannot be told of ends the stream; so does an error of the log, for each filter,
// which stops when nobody listens.
func TestCleanErrorsAndStops(t *testing.T) {
	full, broken := errors.New("disk full"), errors.New("broken log")
	log, _ := opening("", numbered(5, 1))()
	// The last one: nothing follows that would notice.
	if err := failing(Clean(t.Context(), log, parsed(t, "job=4"), func(Removal) error { return full }).Jobs); err != full {
		t.Errorf("ended with %v, want %v", err, full)
	}
	for _, f := range parsed(t, "user=77\nduplicates\nflurries") {
		n, last := 0, error(nil)
		for _, err := range f.Apply(workload.Header{}, func(yield func(workload.Job, error) bool) {
			if yield(numbered(1, 1)[0], nil) {
				yield(workload.Job{}, broken)
			}
		}, &Outcome{}) {
			n++
			last = err
		}
		if last != broken || n > 2 {
			t.Errorf("%s: %d yields, then %v", f, n, last)
		}
		for range f.Apply(workload.Header{}, workload.JobsOf(submitted(0, 1e6, 2e6, 3e6, 4e6)), &Outcome{}) {
			break // yielding once more would panic
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
	for filter, want := range map[string]string{
		"duplicates": "7/3: repeats row 1\n7/5: repeats row 1",
		// Parts share their job's number, and a job without one has no double.
		"duplicates(by=id)": "7/3: repeats row 1\n7/4: repeats row 1\n7/5: repeats row 1",
	} {
		if d := gocmp.Diff(want, clean(t, log, filter).reasons()); d != "" {
			t.Errorf("%s: %s", filter, d)
		}
	}
	for _, c := range []struct {
		f    Duplicates
		want int64
	}{
		{Duplicates{By: "all", within: 2}, 1}, // row 3 repeats row 1; what it remembers then is rows 2 and 4
		{Duplicates{By: "id", within: 1}, 2},  // row 3 comes too late, but is remembered: 4 and 5 repeat it
	} {
		l, err := logfile.OpenReader("test", strings.NewReader(log), workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o := &Outcome{}
		if err := failing(c.f.Apply(workload.Header{}, l.Jobs(), o)); err != nil || o.Removed != c.want {
			t.Errorf("%+v: %d removed, want %d: %v", c.f, o.Removed, c.want, err)
		}
	}
}

// A difference in any one column makes a record another.
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
	for copies, want := range []int64{0, workload.NumColumns + 1} {
		o := &Outcome{}
		all := jobs
		if copies > 0 {
			all = append(all, all...)
		}
		if err := failing(namedFilters()[0].Apply(workload.Header{}, workload.JobsOf(all), o)); err != nil || o.Removed != want {
			t.Errorf("%d removed of %d, want %d: %v", o.Removed, len(all), want, err)
		}
	}
}

// flurryLog is a log of jobs "ID@SUBMISSION", of user 1, application 1 and size 4 unless
// they have another, as in "5@9.5u2a3s1". A dash is unknown.
func flurryLog(jobs string) string {
	form := regexp.MustCompile(`^(\d+)@([-\d.]+)(?:u([-\d]+))?(?:a([-\d]+))?(?:s(\d+))?$`)
	text := ""
	for _, job := range strings.Fields(jobs) {
		m := form.FindStringSubmatch(job)
		for i, usual := range []string{"", "", "", "1", "1", "4"} {
			if m[i] = cmp.Or(m[i], usual); m[i] == "-" {
				m[i] = "-1"
			}
		}
		text += fmt.Sprintf("%s %s 0 10 %[5]s -1 -1 %[5]s 60 -1 1 %[3]s 1 %[4]s 1 1 -1 -1\n", m[1], m[2], m[3], m[4], m[5])
	}
	return text
}

// Four alike jobs in 10 s, which are half of all, by hand: what it is, the jobs, the parameters
// beside window=10s, and the jobs removed.
func TestFlurries(t *testing.T) {
	const cases = `
a burst by itself | 1@0 2@3 3@3 4@9 | jobs=4 | 1 2 3 4
the window ends before its last second | 1@0 2@3 3@3 4@10 | jobs=4 |
three are none | 1@0 2@3 3@3 | jobs=4 |
half of eight | 1@0 2@3 3@3 4@9 5@9u5 6@9u6 7@9u7 8@9.5u8 | jobs=4 | 1 2 3 4
less than half of nine | 1@0 2@3 3@3 4@9 5@9u5 6@9u6 7@9u7 8@9.5u8 9@9.6u9 | jobs=4 |
the ninth is behind the window | 1@0 2@3 3@3 4@9 5@9u5 6@9u6 7@9u7 8@9.5u8 9@10u9 | jobs=4 | 1 2 3 4
another size | 1@0 2@3 3@3 4@9 5@9s8 | jobs=4 | 1 2 3 4
another application | 1@0 2@3 3@3 4@9 5@9a2 | jobs=4 | 1 2 3 4
another size of one | 1@0 2@3 3@3 4@9s3 | jobs=4,share=0.1 |
an unknown application is one, too | 1@0a- 2@3a- 3@3a- 4@9a- | jobs=4 | 1 2 3 4
an unknown user is nobody | 1@0u- 2@1u- 3@2u- 4@3u- | jobs=4 |
a burst goes on, and 6 is in no four | 1@0 2@3 3@3 4@9 5@12 6@20 | jobs=4 | 1 2 3 4 5
of unknown submission | 9@-1 1@0 2@3 3@3 4@9 | jobs=4 | 1 2 3 4
4 stands behind 5 and counts as submitted with it | 1@0 2@3 3@3 5@11u5 4@9 | jobs=4 |
`
	for c := range rowsOf(cases) {
		if s := clean(t, flurryLog(c[1]), "flurries(window=10s,"+c[2]+")").ids(); s != c[3] {
			t.Errorf("%s: removed %q, want %q", c[0], s, c[3])
		}
	}
}

// Reasons tell one burst from the next; the filter says when flurries are not
// rare.
func TestFlurriesReasons(t *testing.T) {
	got := clean(t, flurryLog("1@0u7a3 2@1u7a3 3@2u8a-s1 4@100u7a3 5@101.5u7a3"), "flurries(window=1m,jobs=2,share=0.5)")
	want := `1/1: flurry 1: user_id=7 application_id=3 size=4: 2 of the 3 jobs in 1m from 0 s on
2/2: flurry 1: user_id=7 application_id=3 size=4: 2 of the 3 jobs in 1m from 0 s on
4/4: flurry 2: user_id=7 application_id=3 size=4: 2 of the 2 jobs in 1m from 100 s on
5/5: flurry 2: user_id=7 application_id=3 size=4: 2 of the 2 jobs in 1m from 100 s on`
	if d := gocmp.Diff(want, got.reasons()); d != "" {
		t.Error(d)
	}
	ws := got.Outcomes[0].Warnings.List()
	if len(ws) != 1 || ws[0].Rule != "flurries-not-rare" || !strings.Contains(ws[0].Text, "80%") {
		t.Errorf("warnings %v", ws)
	}
}

// With too many jobs for the hold the window is cut short, said so, and no
// more than the hold is held.
func TestFlurriesHold(t *testing.T) {
	log := ""
	for i := range 20 {
		log += fmt.Sprintf("%d@%g ", i+1, float64(i)/100)
	}
	l, err := logfile.OpenReader("test", strings.NewReader(flurryLog(log)), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := &Outcome{}
	if err := failing(Flurries{Window: 3600, Jobs: 3, Share: 0.5, hold: 5}.Apply(workload.Header{}, l.Jobs(), o)); err != nil || o.Removed != 20 {
		t.Errorf("removed %d of 20: %v", o.Removed, err)
	}
	ws := o.Warnings.List()
	if len(ws) == 0 || ws[0].Rule != "flurry-hold" || ws[0].Count != 15 {
		t.Errorf("warnings %v, want 15 windows cut short", ws)
	}
}

// The filter against its definition: every window looked at by itself.
func TestFlurriesDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(20061, 2))
	for range 300 {
		f := Flurries{Window: Seconds(1 + r.IntN(30)), Jobs: 2 + r.IntN(5), Share: r.Float64(), hold: 1 << 10}
		var jobs []workload.Job
		at := 0.0
		for i := range int64(60) {
			at += float64(r.IntN(4))
			j := workload.UnknownJob()
			j.ID, j.Row, j.Submit, j.User, j.Application, j.Size = i, i, at, r.Int64N(3), r.Int64N(2), 4+r.Int64N(2)
			if j.User == 2 {
				j.User = workload.Unknown
			}
			jobs = append(jobs, j)
		}
		want := map[int64]bool{}
		for i := range jobs {
			var alike []int64
			all := 0
			for k := i; k < len(jobs) && jobs[k].Submit < jobs[i].Submit+float64(f.Window); k++ {
				all++
				if jobs[k].User != workload.Unknown && jobs[k].User == jobs[i].User && jobs[k].Application == jobs[i].Application && jobs[k].Size == jobs[i].Size {
					alike = append(alike, jobs[k].ID)
				}
			}
			if len(alike) >= f.Jobs && float64(len(alike)) >= f.Share*float64(all) {
				for _, id := range alike {
					want[id] = true
				}
			}
		}
		got := map[int64]bool{}
		o := &Outcome{tell: func(r Removal) error { got[r.Job] = true; return nil }}
		last := math.Inf(-1)
		for j, err := range f.Apply(workload.Header{}, workload.JobsOf(jobs), o) {
			if err != nil || j.Submit < last || got[j.ID] {
				t.Fatalf("job %d at %v: %v", j.ID, j.Submit, err)
			}
			last = j.Submit
		}
		if d := gocmp.Diff(want, got); d != "" {
			t.Fatalf("%v (-want +got):\n%s", f, d)
		}
	}
}

// Totals on real logs against a count in Python (testdata/clean_reference.py),
// and that a kept job is the job that it was.
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

// cleanAll returns how many jobs a filter takes out, and the sum of their
// numbers. Every job has to be either kept as it is, in order, or told of.
func cleanAll(t *testing.T, h workload.Header, jobs []workload.Job, filter string) (removed, sum int64) {
	t.Helper()
	gone := map[int64]bool{}
	o := &Outcome{tell: func(r Removal) error {
		if r.Job != jobs[r.Row-1].ID || gone[r.Row-1] {
			t.Errorf("%s: removal %+v is of job %d, or told twice", filter, r, jobs[r.Row-1].ID)
		}
		gone[r.Row-1] = true
		sum += r.Job
		return nil
	}}
	row := int64(0)
	for j, err := range parsed(t, filter)[0].Apply(h, workload.JobsOf(jobs), o) {
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
	return o.Removed, sum
}
