package slurm_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// readJobs reads a log and returns each job as a text of its columns except some, sorted; and notes
// on header and warnings.
func readJobs(t *testing.T, path string, without ...int) (jobs []string, notes string) {
	t.Helper()
	all, notes, err := logtest.JobsOf(path, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, job := range all {
		for _, col := range without {
			delete(job, workload.ColumnAt(col).Name)
		}
		jobs = append(jobs, fmt.Sprint(job))
	}
	slices.Sort(jobs)
	return jobs, notes
}

// TestFormsAgree compares several forms of output by one Slurm 22.05 for the same jobs: 100 jobs of
// the real logs, and the few of testdata, which include an array, a heterogeneous job, one
// requeued, one killed, one held, one refused, one without a limit, and one with blanks, quotes and
// a bar in its name.
func TestFormsAgree(t *testing.T) {
	own := filepath.Join("testdata", "slurm-22.05")
	memory := []int{workload.ColRequestedMemory, workload.ColRequestedMemoryTotal}
	t.Run("sacct", func(t *testing.T) {
		want, _ := readJobs(t, filepath.Join(own, "sacct.txt"))
		got, notes := readJobs(t, filepath.Join(own, "sacct.json"))
		if d := cmp.Diff(want, got); d != "" || len(got) != 9 {
			t.Errorf("%d jobs: text (-), JSON (+)\n%s", len(got), d)
		}
		if !strings.Contains(notes, "UnixStartTime: 1795392000\n") || strings.Contains(notes, "TimeZoneString") {
			t.Errorf("header and warnings %s", notes)
		}
	})
	t.Run("squeue", func(t *testing.T) {
		// For a job that has started, scontrol 22.05 gives only the allocated memory.
		want, _ := readJobs(t, filepath.Join(own, "squeue.json"), memory...)
		got, _ := readJobs(t, filepath.Join(own, "scontrol.txt"), memory...)
		if d := cmp.Diff(want, got); d != "" || len(got) != 4 { // the fifth is held
			t.Errorf("%d jobs: squeue (-), scontrol (+)\n%s", len(got), d)
		}
	})
	real := func(t *testing.T, name string) string { return reallogs.Path(t, "slurm-json/"+name) }
	t.Run("real sacct", func(t *testing.T) {
		want, _ := readJobs(t, real(t, "sacct-all-22.05.txt"))
		got, _ := readJobs(t, real(t, "sacct-22.05.json"))
		if d := cmp.Diff(want, got); d != "" || len(got) != 102 {
			t.Errorf("%d jobs: text (-), JSON (+)\n%s", len(got), d)
		}
	})
	t.Run("real squeue", func(t *testing.T) {
		// Its text form has no column for the eligible time.
		without := append([]int{workload.ColEligibleTime}, memory...)
		want, _ := readJobs(t, real(t, "squeue-all-22.05.txt"), without...)
		all, _ := readJobs(t, real(t, "squeue-22.05.json"), without...)
		// In text form squeue omits the four jobs that have ended. An array of six tasks waits, of
		// which two may run at a time: the other four are held.
		got := slices.DeleteFunc(slices.Clone(all), func(job string) bool { return strings.Contains(job, "run_time_s:") })
		if d := cmp.Diff(want, got); d != "" || len(all) != 42 || len(got) != 38 {
			t.Errorf("%d jobs, %d of them: text (-), JSON (+)\n%s", len(all), len(got), d)
		}
		listed, _ := readJobs(t, real(t, "scontrol-show-job-22.05.txt"), without...)
		if d := cmp.Diff(all, listed); d != "" {
			t.Errorf("JSON (-), scontrol (+)\n%s", d)
		}
	})
}

// TestOneLinePerJob reads the output of scontrol -o.
func TestOneLinePerJob(t *testing.T) {
	listing := filepath.Join("testdata", "slurm-22.05", "scontrol.txt")
	want, _ := readJobs(t, listing)
	// scontrol -o joins the lines of a job.
	var lines []string
	for _, job := range strings.Split(readText(listing), "\n\n") {
		lines = append(lines, strings.Join(strings.Fields(job), " "))
	}
	path := logtest.TempFile(t, "jobs.txt", []byte(strings.Join(lines, "\n")))
	got, _ := readJobs(t, path)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("in lines (-), in one (+)\n%s", d)
	}
}
