package gwf_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/gwf"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// gwfText writes jobs with a header.
func gwfText(t *testing.T, h workload.Header, jobs ...workload.Job) string {
	t.Helper()
	b := workload.NewBuilder(nil)
	defer b.Release()
	for i := range jobs {
		b.Append(&jobs[i])
	}
	rec := b.Record()
	defer rec.Release()
	var out strings.Builder
	w, err := logfile.NewWriter("gwf", &out, h, workload.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGWFWriter(t *testing.T) {
	full := workload.UnknownJob()
	full.ID, full.Submit, full.Wait, full.Run, full.Allocated, full.CPUTime, full.UsedMemory = 1, 2, 3.5, 0, 5, 0.1, 1e6
	full.Processors, full.Time, full.Memory, full.Status = 8, 9, 1e21, 5
	full.User, full.Group, full.Application, full.Queue, full.Partition, full.Preceding, full.Think = 12, 13, math.MaxInt64, 0, 7, 17, 18
	h := workload.Header{Lines: []string{" Version: 2.2", " User: 12 alice", " Queue: 0 interactive (4 hours)", " on\ntwo nodes", " Note: two\nlines"}}
	got := gwfText(t, h, full, workload.UnknownJob())
	tail := strings.Repeat("\t-1", 11) + "\n"
	want := "# Version: 2.2\n# Note: two\n#lines\n" +
		"1\t2\t3.5\t0\t5\t0.1\t1000000\t8\t9\t1e+21\t5\talice\t13\t9223372036854775807\tinteractive\t7\t-1\t-1" + tail +
		"-1" + strings.Repeat("\t-1", 17) + tail
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}

	// Of a grid, the partition is a site.
	h = workload.Header{Lines: []string{" Partition: 7 G1/site2", " Partitions: " + gwf.GwfSiteRule}}
	full = workload.UnknownJob()
	full.Partition = 7
	if got, want := gwfText(t, h, full), "-1"+strings.Repeat("\t-1", 16)+"\tG1/site2"+tail; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The names of a header as identifiers, of users 1 to 9, and what of the
// header stays.
func TestGWFNames(t *testing.T) {
	for _, c := range []struct {
		header, want, left string
	}{
		{"", "1 2 3 4 5 6 7 8 9", ""},
		{" User: 1 alice| User: 3 bob| Note: x", "alice 2 bob 4 5 6 7 8 9", " Note: x"},
		{" user: 2 Alice B. Toklas", "1 Alice_B._Toklas 3 4 5 6 7 8 9", ""},
		{" User: 2 alice (staff)|   of the lab| Note: x", "1 alice 3 4 5 6 7 8 9", " Note: x"},
		{" User: 2 - Alice B. - staff", "1 Alice_B. 3 4 5 6 7 8 9", ""},
		{" User: 2: alice", "1 alice 3 4 5 6 7 8 9", ""},
		{" User: 1 x| User: 2 x| User: 4 x_2", "x x_2 3 x_2_4 5 6 7 8 9", ""},
		{" User: 1 7", "7_1 2 3 4 5 6 7 8 9", ""},          // or it would be 7
		{" User: 1 2| User: 2 1", "2 1 3 4 5 6 7 8 9", ""}, // these are no others' numbers
		{" User: 1 -1| User: 2| User: x y", "1 2 3 4 5 6 7 8 9", " User: 1 -1| User: 2| User: x y"},
		{" User: 1 alice| User: 1 bob", "alice 2 3 4 5 6 7 8 9", " User: 1 bob"},
	} {
		var jobs []workload.Job
		for n := range int64(9) {
			j := workload.UnknownJob()
			j.User = n + 1
			jobs = append(jobs, j)
		}
		var names, left []string
		for line := range strings.Lines(gwfText(t, workload.Header{Lines: strings.Split(c.header, "|")}, jobs...)) {
			line = strings.TrimSuffix(line, "\n")
			if comment, ok := strings.CutPrefix(line, "#"); ok {
				left = append(left, comment)
				continue
			}
			f := strings.Fields(line)
			if len(f) != gwf.GwfFields || len(strings.Split(line, "\t")) != gwf.GwfFields {
				t.Errorf("%q: %d fields in %q", c.header, len(f), line)
			}
			names = append(names, f[11])
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%q: %s, want %s", c.header, got, c.want)
		}
		if got := strings.Join(left, "|"); got != c.left {
			t.Errorf("%q: header %q, want %q", c.header, got, c.left)
		}
	}
}

func TestGWFLosses(t *testing.T) {
	h := workload.Header{Lines: []string{" Version: 2.2", " User: 3 alice", " User: 4 Bob B", " Queue: 1 night (8 hours)", " Queue: 2 day", "   for all", " Queue: x"}}
	rec := workload.RecordOf(3,
		workload.Values{Column: workload.ColWaitTime, Floats: []float64{-1, 5, math.NaN()}},
		workload.Values{Column: workload.ColUser, Ints: []int64{3, -1, workload.Unknown}},
		workload.Values{Column: workload.ColPrecedingJob, Ints: []int64{workload.Unknown, 1, 1}},
		workload.Values{Column: workload.ColThinkTime, Floats: []float64{1, 2, 3}},
		workload.Values{Column: workload.ColSigma, Floats: []float64{1, math.NaN(), -1}},
	)
	defer rec.Release()
	o, err := logfile.Create(t.TempDir()+"/x.gwf.gz", h, workload.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Abort()
	if err := o.Write(rec); err != nil {
		t.Fatal(err)
	}
	const none, unknown = "the format has no such field", "-1 means unknown in the format"
	want := []workload.Loss{
		{Column: "header", Why: "names are written in the jobs' fields, without their descriptions", Values: 2},
		{Column: "header", Why: "names are written with _ for blanks", Values: 1},
		{Column: "wait_time_s", Why: unknown, Values: 1},
		{Column: "user_id", Why: unknown, Values: 1},
		{Column: "preceding_job_id", Why: none, Values: 2},
		{Column: "think_time_s", Why: none, Values: 3},
		{Column: "sigma", Why: none, Values: 2},
	}
	if d := cmp.Diff(want, o.Losses()); d != "" {
		t.Error(d)
	}
}
