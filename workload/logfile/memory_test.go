package logfile_test

import (
	"path/filepath"
	goruntime "runtime"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Memory does not grow with the log: writing and reading some millions of jobs
// takes what a row group takes.
func TestColumnarMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const times = 60 // of 32 Ki jobs
	var made *workload.Batch
	for rec := range logtest.MadeUpLog(1, workload.DefaultBatchRows, workload.DefaultBatchRows) {
		made = rec
	}
	goruntime.GC()
	var start, now goruntime.MemStats
	goruntime.ReadMemStats(&start)
	most := uint64(0)
	sample := func() {
		goruntime.ReadMemStats(&now)
		most = max(most, now.HeapInuse)
	}
	for _, format := range []string{".parquet", ".arrow"} {
		t.Run(format, func(t *testing.T) {
			most = 0
			path := filepath.Join(t.TempDir(), "x"+format)
			o, err := logfile.Create(path, workload.Header{}, workload.WriteOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer o.Abort()
			for range times {
				if err := o.Write(made); err != nil {
					t.Fatal(err)
				}
				sample()
			}
			if err := o.Commit(); err != nil {
				t.Fatal(err)
			}
			l, err := logfile.Open(path, workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			var rows int64
			for rec, err := range l.Batches() {
				if err != nil {
					t.Fatal(err)
				}
				rows += int64(rec.Rows)
				sample()
			}
			if rows != times*workload.DefaultBatchRows {
				t.Errorf("%d rows", rows)
			}
			t.Logf("%d MiB of heap at the most, %d MiB before", most>>20, start.HeapInuse>>20)
			if most-min(most, start.HeapInuse) > 250<<20 {
				t.Errorf("%d MiB of heap", most>>20)
			}
		})
	}
}
