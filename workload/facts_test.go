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
		want  []string // lines of before that change, and their new form; "+" adds
	}{
		{"nothing known", NoFacts(), nil},
		// 29 Aug 1997 10:55:01 CEST is 872844901 in Unix time.
		{"all the same", Facts{10, 10, 872844901 - 843480031}, nil},
		{"jobs", Facts{7, Unknown, math.NaN()}, []string{
			" MaxJobs: 10", " MaxJobs: 7", "+", " Note: MaxJobs recomputed by a test"}},
		// A second and a half past the start: the format has whole seconds.
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
	// What is missing is added, but no end without a start.
	var h Header
	h.Complete(Facts{3, 4, 50}, "a test")
	want := []string{" MaxJobs: 3", " MaxRecords: 4", " Note: MaxJobs and MaxRecords recomputed by a test"}
	if d := cmp.Diff(want, h.Lines); d != "" {
		t.Error(d)
	}
}

func TestFactsCounter(t *testing.T) {
	job := func(id int64, submit, wait, run float64, status int64) Job {
		j := UnknownJob()
		j.ID, j.Submit, j.Wait, j.Run, j.Status = id, submit, wait, run, status
		return j
	}
	nan := math.NaN()
	jobs := []Job{
		job(1, 0, 5, 10, 1),
		job(2, 2, nan, 20, 1), // ends at 22 at the earliest
		job(3, 30, -1, -1, 0), // a whole job, and its parts
		job(3, nan, 5, 500, 2),
		job(3, nan, 5, 500, 4),
		job(4, 31, nan, nan, 2), // a job of which only parts are known
		job(4, nan, 5, nan, 3),
		job(5, 32, nan, nan, 2), // a part by itself
		job(6, 33, nan, nan, 1),
		job(6, 33, nan, nan, 1), // a duplicate is a job of its own
		job(Unknown, nan, nan, nan, 2),
		job(Unknown, nan, nan, nan, 2),
	}
	want := Facts{Jobs: 9, Records: 12, End: 33}
	var c FactsCounter
	for i := range jobs {
		c.Add(&jobs[i])
	}
	if d := cmp.Diff(want, c.Facts()); d != "" {
		t.Error(d)
	}
	if f := new(FactsCounter).Facts(); f.Records != 0 || !math.IsNaN(f.End) {
		t.Errorf("of nothing: %+v", f)
	}
}
