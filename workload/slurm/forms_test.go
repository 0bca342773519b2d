package slurm_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// namedColumns are those of which forms number the names in the order of their jobs.
var namedColumns = []int{workload.ColUser, workload.ColGroup, workload.ColApplication, workload.ColQueue, workload.ColPartition, workload.ColAccount, workload.ColQOS, workload.ColGPUType}

// readJobs reads a log: each job as "column=value" texts, names in place of their
// numbers, seconds since 1970 in place of the log's; sorted.
func readJobs(t *testing.T, path string, without ...int) (jobs []string, l *workload.Log) {
	t.Helper()
	l, err := logfile.Open(path, workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	start, _ := l.Header.Int("UnixStartTime")
	var rows [][]any
	for rec, err := range l.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		v := rec
		for i := range v.Rows {
			var row []any
			for col := range workload.NumColumns {
				switch {
				case math.IsNaN(v.Float(col, i)) && v.Int(col, i) == workload.Unknown:
					row = append(row, nil)
				case workload.ColumnAt(col).Float():
					x := v.Float(col, i)
					if col == workload.ColSubmitTime {
						x += float64(start)
					}
					row = append(row, x)
				default:
					row = append(row, v.Int(col, i))
				}
			}
			rows = append(rows, row)
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for col, x := range row {
			if x == nil || slices.Contains(without, col) {
				continue
			}
			if slices.Contains(namedColumns, col) {
				x = l.Header.Names(workload.NameKey(col))[x.(int64)]
			}
			fmt.Fprintf(&b, "%s=%v ", workload.ColumnAt(col).Name, x)
		}
		jobs = append(jobs, b.String())
	}
	slices.Sort(jobs)
	return jobs, l
}

// only keeps the jobs of which a text holds, or, with not, of which it does not.
func only(jobs []string, text string, not bool) []string {
	return slices.DeleteFunc(slices.Clone(jobs), func(j string) bool { return strings.Contains(j, text) == not })
}

// TestFormsAgree holds what one Slurm 22.05 printed of the same jobs in several forms
// against each other: 100 jobs of the real logs, and the few of testdata, which were
// submitted so that there is an array, a heterogeneous job, one requeued, one killed, one
// held, one refused, one without a limit, and one with blanks, quotes and a bar in its
// name.
func TestFormsAgree(t *testing.T) {
	own := filepath.Join("testdata", "slurm-22.05")
	memory := []int{workload.ColRequestedMemory, workload.ColRequestedMemoryTotal}
	t.Run("sacct", func(t *testing.T) {
		want, _ := readJobs(t, filepath.Join(own, "sacct.txt"))
		got, l := readJobs(t, filepath.Join(own, "sacct.json"))
		if d := cmp.Diff(want, got); d != "" || len(got) != 9 {
			t.Errorf("%d jobs: text (-), JSON (+)\n%s", len(got), d)
		}
		if start, _ := l.Header.Int("UnixStartTime"); start != 1795392000 || l.Header.Get("TimeZoneString") != "" {
			t.Errorf("header %q", l.Header.Lines)
		}
	})
	t.Run("squeue", func(t *testing.T) {
		// scontrol 22.05 says of a job that has started what it was given alone.
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
		// Its text has no column for the first.
		without := append([]int{workload.ColEligibleTime}, memory...)
		want, _ := readJobs(t, real(t, "squeue-all-22.05.txt"), without...)
		all, _ := readJobs(t, real(t, "squeue-22.05.json"), without...)
		// As text squeue leaves out the four jobs that have ended. An array of six waits, of
		// which two may run at a time: the other four are held.
		got := only(all, "run_time_s=", true)
		if d := cmp.Diff(want, got); d != "" || len(all) != 42 || len(got) != 38 {
			t.Errorf("%d jobs, %d of them: text (-), JSON (+)\n%s", len(all), len(got), d)
		}
		listed, _ := readJobs(t, real(t, "scontrol-show-job-22.05.txt"), without...)
		if d := cmp.Diff(all, listed); d != "" {
			t.Errorf("JSON (-), scontrol (+)\n%s", d)
		}
	})
}

// TestOneLinePerJob reads what scontrol prints with -o.
func TestOneLinePerJob(t *testing.T) {
	dir := filepath.Join("testdata", "slurm-22.05")
	want, _ := readJobs(t, filepath.Join(dir, "scontrol.txt"))
	text, err := os.ReadFile(filepath.Join(dir, "scontrol.txt"))
	if err != nil {
		t.Fatal(err)
	}
	// scontrol -o puts the lines of a job behind one another.
	var lines []string
	for _, job := range strings.Split(string(text), "\n\n") {
		lines = append(lines, strings.Join(strings.Fields(job), " "))
	}
	path := filepath.Join(t.TempDir(), "jobs.txt")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	got, _ := readJobs(t, path)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("in lines (-), in one (+)\n%s", d)
	}
}
