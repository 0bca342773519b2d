package logfile_test

import (
	"path/filepath"
	goruntime "runtime"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Memory does not grow with the log: writing and reading some millions of jobs takes the memory of
// a row group.
func TestColumnarMemory(t *testing.T) {
	longtest.Only(t)
	const times = 60 // of 32 Ki jobs
	var made *workload.Batch
	for rec := range logtest.MadeUpLog(1, workload.DefaultBatchRows, workload.DefaultBatchRows) {
		made = rec
	}
	goruntime.GC()
	before, most := logtest.HeapInUse(), int64(0)
	sample := func() { most = max(most, logtest.HeapInUse()-before) }
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
				jobtest.NoError(t, o.Write(made))
				sample()
			}
			jobtest.NoError(t, o.Commit())
			l, err := logfile.Open(path, workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			rows := 0
			for batch, err := range l.Batches() {
				if err != nil {
					t.Fatal(err)
				}
				rows += batch.Rows
				sample()
			}
			if rows != times*workload.DefaultBatchRows {
				t.Errorf("%d rows", rows)
			}
			if most > 250<<20 {
				t.Errorf("%d MiB of heap", most>>20)
			}
		})
	}
}
