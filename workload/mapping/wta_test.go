package mapping_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// The values are those that the library's own column readers give for the
// files (jobs, times in milliseconds, sums of whole columns).
func TestWTASample(t *testing.T) {
	l, jobs := readTrace(t, filepath.Join(logtest.Traces(t), "wta", "sample"), workload.Options{})
	if l.Format != "wta" || len(jobs) != 460 || len(l.Header.Lines) != 0 {
		t.Fatalf("format %s, %d jobs, header %q", l.Format, len(jobs), l.Header.Lines)
	}
	wantJob(t, jobs[0], func(j *workload.Job) {
		j.ID, j.Submit, j.Wait, j.Run, j.Processors, j.Partition = 362334516345962206, 245.604, 0, 8.163, 1, 174618386
	})
	// A site is a hash, which may be negative; only -1 is unknown.
	wantJob(t, jobs[4], func(j *workload.Job) {
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
	logtest.WantCounts(t, l, map[string]int64{
		"submit-order": 228, "missing-column": 1, "left-out-resource_type": 460, "left-out-parents": 1520, "left-out-children": 1520,
		"left-out-workflow_id": 460, "left-out-params": 460, "left-out-resource_used": 460,
	})
}

func TestWTAShell(t *testing.T) {
	dir := filepath.Join(logtest.Traces(t), "wta", "shell")
	for _, path := range []string{"", "tasks", "tasks/schema-1.0", "tasks/schema-1.0/part.0.parquet"} {
		t.Run(path, func(t *testing.T) {
			l, jobs := readTrace(t, filepath.Join(dir, path), workload.Options{})
			if len(jobs) != 10208 {
				t.Fatalf("%d jobs", len(jobs))
			}
			wantJob(t, jobs[2], func(j *workload.Job) {
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
			logtest.WantCounts(t, l, map[string]int64{
				"submit-order": 430, "left-out-resource_type": 10208, "left-out-parents": 6805, "left-out-children": 6805,
				"left-out-workflow_id": 10208, "left-out-__index_level_0__": 10208,
			})
		})
	}
}

func TestWTAOtherTables(t *testing.T) {
	path := filepath.Join(logtest.Traces(t), "wta", "shell", "workflows", "schema-1.0", "part.0.parquet")
	_, err := logfile.Open(path, workload.Options{})
	if want := "saw a table of workflows of the Workflow Trace Archive, want its table of tasks, tasks/schema-1.0"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}
