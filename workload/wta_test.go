package workload

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// readTrace opens a log and reads its jobs.
func readTrace(t *testing.T, path string, o Options) (*Log, []Job) {
	t.Helper()
	l, err := Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var jobs []Job
	for j, err := range l.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	return l, jobs
}

// counts are a log's warnings by rule.
func counts(l *Log) map[string]int64 {
	n := map[string]int64{}
	for _, w := range l.Warnings() {
		n[w.Rule] += w.Count
	}
	return n
}

func wantCounts(t *testing.T, l *Log, want map[string]int64) {
	t.Helper()
	got := counts(l)
	for rule, n := range want {
		if got[rule] != n {
			t.Errorf("%s: %d, want %d", rule, got[rule], n)
		}
	}
	for rule, n := range got {
		if _, ok := want[rule]; !ok {
			t.Errorf("%s: %d, want none", rule, n)
		}
	}
}

// wantJob compares a job with one that is unknown but for what set sets.
func wantJob(t *testing.T, got Job, set func(*Job)) {
	t.Helper()
	want := UnknownJob()
	want.Row = got.Row
	set(&want)
	want.Size = rigidSize(want.Allocated, want.Processors)
	if d := differ(recordFields(oneJob(got)), recordFields(oneJob(want))); d != "" {
		t.Errorf("row %d: %s", got.Row, d)
	}
}

func oneJob(j Job) Batch {
	b := NewBuilder(nil)
	defer b.Release()
	b.Append(&j)
	return b.Record()
}

// The values are those that the library's own column readers give for the
// files (jobs, times in milliseconds, sums of whole columns).
func TestWTASample(t *testing.T) {
	l, jobs := readTrace(t, filepath.Join(traces(t), "wta", "sample"), Options{})
	if l.Format != "wta" || len(jobs) != 460 || len(l.Header.Lines) != 0 {
		t.Fatalf("format %s, %d jobs, header %q", l.Format, len(jobs), l.Header.Lines)
	}
	wantJob(t, jobs[0], func(j *Job) {
		j.ID, j.Submit, j.Wait, j.Run, j.Processors, j.Partition = 362334516345962206, 245.604, 0, 8.163, 1, 174618386
	})
	// A site is a hash, which may be negative; only -1 is unknown.
	wantJob(t, jobs[4], func(j *Job) {
		j.ID, j.Submit, j.Wait, j.Run, j.Processors, j.Partition = 967110350114597959, 271.028, 0, 6.787, 1, -1547729109
	})
	var submit, run float64
	for _, j := range jobs {
		submit += math.Round(j.Submit * 1000)
		run += math.Round(j.Run * 1000)
	}
	if submit != 3589607215 || run != 5129343 {
		t.Errorf("sums of %.0f ms of submission and %.0f ms of run time", submit, run)
	}
	wantCounts(t, l, map[string]int64{
		"submit-order": 228, "missing-column": 1, "left-out-resource_type": 460, "left-out-parents": 1520, "left-out-children": 1520,
		"left-out-workflow_id": 460, "left-out-params": 460, "left-out-resource_used": 460,
	})
}

func TestWTAShell(t *testing.T) {
	dir := filepath.Join(traces(t), "wta", "shell")
	for _, path := range []string{"", "tasks", "tasks/schema-1.0", "tasks/schema-1.0/part.0.parquet"} {
		t.Run(path, func(t *testing.T) {
			l, jobs := readTrace(t, filepath.Join(dir, path), Options{})
			if len(jobs) != 10208 {
				t.Fatalf("%d jobs", len(jobs))
			}
			wantJob(t, jobs[2], func(j *Job) {
				j.ID, j.Submit, j.Run, j.Processors, j.Application, j.Partition = 2, 6, 5.24, 1, 1, 0
			})
			// The archive's own summary of this trace (generic_information.json)
			// has total_resource_seconds 89229.863, of tasks of one resource.
			var run float64
			for _, j := range jobs {
				run += j.Run
			}
			if math.Abs(run-89229.863) > 1e-6 {
				t.Errorf("%f s of run time", run)
			}
			if got := strings.Join(l.Header.Lines, "|"); got != " Application: 1 composite" {
				t.Errorf("header %q", got)
			}
			wantCounts(t, l, map[string]int64{
				"submit-order": 430, "left-out-resource_type": 10208, "left-out-parents": 6805, "left-out-children": 6805,
				"left-out-workflow_id": 10208, "left-out-__index_level_0__": 10208,
			})
		})
	}
}

func TestWTAOtherTables(t *testing.T) {
	path := filepath.Join(traces(t), "wta", "shell", "workflows", "schema-1.0", "part.0.parquet")
	_, err := Open(path, Options{})
	if want := "saw a table of workflows of the Workflow Trace Archive, want its table of tasks, tasks/schema-1.0"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}
