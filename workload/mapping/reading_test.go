package mapping_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"

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

// madeUpWTA is a table of tasks with texts that repeat, nulls and unknowns.
func madeUpWTA(seed uint64, n int) arrow.Record {
	rng := rand.New(rand.NewPCG(seed, 3))
	ids, submits, runs, users, types := make([]int64, n), make([]int64, n), make([]int64, n), make([]int32, n), make([]string, n)
	for i := range n {
		ids[i], submits[i], runs[i] = int64(i), int64(i)*1000, rng.Int64N(1e6)
		users[i] = rng.Int32N(20) - 1
		types[i] = fmt.Sprintf("type %d", int(rng.ExpFloat64()*5))
		if rng.IntN(10) == 0 {
			types[i] = "\x00"
		}
	}
	return logtest.Table("id", logtest.Int64s(ids...), "ts_submit", logtest.Int64s(submits...), "runtime", logtest.Int64s(runs...), "user_id", logtest.Int32s(users...), "type", logtest.Texts(types...))
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
