package workload

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHeaderComplete(t *testing.T) {
	const before = ` Version: 2.2
 MaxJobs: 10
 MaxRecords: 10 (of them 2 cancelled)
 UnixStartTime: 843480031
 TimeZoneString: Europe/Stockholm
 StartTime: Mon Sep 23 14:00:31 CEST 1996
 EndTime:   Fri Aug 29 10:55:01 CEST 1997`
	for _, c := range []struct {
		name  string
		facts Facts
		want  []string // the previous lines that change, and their new form; "+" adds a line
	}{
		{"nothing known", NoFacts(), nil},
		// 29 Aug 1997 10:55:01 CEST is 872844901 in Unix time.
		{"all the same", Facts{10, 10, 872844901 - 843480031}, nil},
		{"jobs", Facts{7, Unknown, math.NaN()}, []string{
			" MaxJobs: 10", " MaxJobs: 7", "+", " Note: MaxJobs recomputed by a test"}},
		// A second and a half after the start: the format has whole seconds.
		{"counts and end", Facts{7, 8, 1.5}, []string{
			" MaxJobs: 10", " MaxJobs: 7",
			" MaxRecords: 10 (of them 2 cancelled)", " MaxRecords: 8",
			" EndTime:   Fri Aug 29 10:55:01 CEST 1997", " EndTime: Mon Sep 23 14:00:32 CEST 1996",
			"+", " Note: MaxJobs, MaxRecords and EndTime recomputed by a test"}},
	} {
		h := Header{Lines: strings.Split(before, "\n")}
		want := before
		for i := 0; i < len(c.want); i += 2 {
			if c.want[i] == "+" {
				want += "\n" + c.want[i+1]
				continue
			}
			want = strings.Replace(want, c.want[i], c.want[i+1], 1)
		}
		h.Complete(c.facts, "a test")
		if d := cmp.Diff(strings.Split(want, "\n"), h.Lines); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	// Missing lines are added, but no end without a start.
	var h Header
	h.Complete(Facts{3, 4, 50}, "a test")
	want := []string{" MaxJobs: 3", " MaxRecords: 4", " Note: MaxJobs and MaxRecords recomputed by a test"}
	if d := cmp.Diff(want, h.Lines); d != "" {
		t.Error(d)
	}
}

// The last known time is the submission at 33 s. Job 3 has a record of the whole job and records of
// its parts, job 4 has records of parts only, job 5 has a single part, and the second record of job
// 6 is a duplicate, which counts as a separate job.
func TestFactsCounter(t *testing.T) {
	const jobs = `
job=1 submit=0 wait=5 run=10 status=1
job=2 submit=2 run=20 status=1
job=3 submit=30 wait=-1 run=-1 status=0
job=3 wait=5 run=500 status=2
job=3 wait=5 run=500 status=4
job=4 submit=31 status=2
job=4 wait=5 status=3
job=5 submit=32 status=2
job=6 submit=33 status=1
job=6 submit=33 status=1
status=2
status=2
`
	var c FactsCounter
	for _, row := range rowsOf(jobs) {
		j := jobOf(t, row[0])
		c.Add(&j)
	}
	if d := cmp.Diff(Facts{Jobs: 9, Records: 12, End: 33}, c.Facts()); d != "" {
		t.Error(d)
	}
	if f := new(FactsCounter).Facts(); f.Records != 0 || !math.IsNaN(f.End) {
		t.Errorf("of nothing: %+v", f)
	}
}
