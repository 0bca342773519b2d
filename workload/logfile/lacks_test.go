package logfile_test

import (
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// A file tells before it is read which columns have no value, as far as its format
// counts them; a text never does.
func TestLogLacks(t *testing.T) {
	none, some := workload.UnknownJob(), workload.UnknownJob()
	none.ID, none.Submit, none.Run = 1, 0, 5
	some.ID, some.Submit, some.Run, some.Wait = 2, 1, 5, 3
	for _, c := range []struct {
		name  string
		jobs  []workload.Job
		waits bool // are lacking
	}{
		{"none.parquet", []workload.Job{none, none}, true}, {"some.parquet", []workload.Job{none, some}, false},
		{"none.arrow", []workload.Job{none}, false}, {"none.swf", []workload.Job{none}, false},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		out, err := logfile.Create(path, workload.Header{}, workload.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := out.WriteAll(workload.Batches(workload.JobsOf(c.jobs), nil)); err != nil {
			t.Fatal(err)
		}
		if err := out.Commit(); err != nil {
			t.Fatal(err)
		}
		log, err := logfile.Open(path, workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := log.Lacks(workload.ColWaitTime); got != c.waits {
			t.Errorf("%s: lacks waits: %t, want %t", c.name, got, c.waits)
		}
		if log.Lacks(workload.ColRunTime) {
			t.Errorf("%s: lacks run times", c.name)
		}
		log.Close()
	}
}
