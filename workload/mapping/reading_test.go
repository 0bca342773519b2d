package mapping_test

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// readTrace opens a log and reads its jobs.
func readTrace(t *testing.T, path string, o workload.Options) (*workload.Log, []workload.Job) {
	t.Helper()
	l, err := logfile.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	jobs := jobtest.Collect(t, l.Jobs())
	return l, jobs
}

// wantJob compares a job with one that is unknown but for what set sets.
func wantJob(t *testing.T, got workload.Job, set func(*workload.Job)) {
	t.Helper()
	want := workload.UnknownJob()
	want.Row = got.Row
	set(&want)
	want.Size = workload.RigidSize(want.Allocated, want.Processors)
	if d := logtest.Differ(logtest.RecordFields(oneJob(got)), logtest.RecordFields(oneJob(want))); d != "" {
		t.Errorf("row %d: %s", got.Row, d)
	}
}

func oneJob(j workload.Job) *workload.Batch {
	b := &workload.Batch{}
	b.Append(&j)
	return b
}

// readCSV reads a text to its end.
func readCSV(text string, o workload.Options) (*workload.Log, []workload.Job, error) {
	l, err := logfile.OpenReader("log.csv", strings.NewReader(text), o)
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	var jobs []workload.Job
	for j, err := range l.Jobs() {
		if err != nil {
			return l, jobs, err
		}
		jobs = append(jobs, j)
	}
	return l, jobs, nil
}
