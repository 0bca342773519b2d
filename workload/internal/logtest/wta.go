package logtest

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// ReadTrace opens a log and reads its jobs.
func ReadTrace(t *testing.T, path string, o workload.Options) (*workload.Log, []workload.Job) {
	t.Helper()
	l, err := logfile.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	jobs := jobtest.Collect(t, l.Jobs())
	return l, jobs
}

// Counts are a log's warnings by rule.
func Counts(l *workload.Log) map[string]int64 {
	n := map[string]int64{}
	for _, w := range l.Warnings() {
		n[w.Rule] += w.Count
	}
	return n
}

func WantCounts(t *testing.T, l *workload.Log, want map[string]int64) {
	t.Helper()
	got := Counts(l)
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

// WantJob compares a job with one that is unknown but for what set sets.
func WantJob(t *testing.T, got workload.Job, set func(*workload.Job)) {
	t.Helper()
	want := workload.UnknownJob()
	want.Row = got.Row
	set(&want)
	want.Size = workload.RigidSize(want.Allocated, want.Processors)
	if d := Differ(RecordFields(oneJob(got)), RecordFields(oneJob(want))); d != "" {
		t.Errorf("row %d: %s", got.Row, d)
	}
}

func oneJob(j workload.Job) workload.Batch {
	b := workload.NewBuilder(nil)
	defer b.Release()
	b.Append(&j)
	return b.Record()
}
