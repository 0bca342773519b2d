package logfile_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// The header that is set last stands in every format as if it had been given
// first, and the jobs are the same.
func TestHeaderLast(t *testing.T) {
	first, batches := logtest.SmallLog()
	want := logtest.Collect(t, batches)
	last := first.Clone()
	last.Add("Note", "only known at the end, caf\xe9 and all")
	for _, name := range []string{"x.swf", "x.swf.gz", "x.swf.zst", "x.parquet", "x.arrow", "x.arrows"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, name)
			o, err := logfile.Create(path, first, workload.WriteOptions{HeaderLast: true})
			if err != nil {
				t.Fatal(err)
			}
			defer o.Abort()
			_, batches := logtest.SmallLog()
			if err := o.WriteAll(batches); err != nil {
				t.Fatal(err)
			}
			o.SetHeader(last)
			if err := o.Commit(); err != nil {
				t.Fatal(err)
			}
			onlyFiles(t, dir, name)
			l, err := logfile.Open(path, workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			logtest.SameBatches(t, logtest.Collect(t, l.Batches()), want)
			if d := cmp.Diff(last, l.Header); d != "" {
				t.Error(d)
			}
		})
	}
	// Losses are those of a direct write.
	o, err := logfile.Create(filepath.Join(t.TempDir(), "x.csv"), first, workload.WriteOptions{HeaderLast: true})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Abort()
	o.SetHeader(last)
	if d := cmp.Diff([]workload.Loss{{Column: "header", Why: "the format has no header", Values: 3}}, o.Losses()); d != "" {
		t.Error(d)
	}
}
