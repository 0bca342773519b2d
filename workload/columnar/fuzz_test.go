package columnar_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// smallFile returns a file of 20 jobs.
func smallFile(f logtest.Failer, format string) []byte {
	f.Helper()
	var b bytes.Buffer
	w, err := logfile.NewWriter(format, &b, workload.Header{Lines: []string{" Version: 2.2"}}, workload.WriteOptions{Columns: workload.OptionalColumns})
	if err != nil {
		f.Fatal(err)
	}
	logtest.WriteAll(f, w, logtest.MadeUpLog(1, 20, 20))
	return b.Bytes()
}

func FuzzParquet(f *testing.F) {
	fuzzFormat(f, "parquet", logtest.OpenParquetBytes)
}

func FuzzArrowFile(f *testing.F) { fuzzFormat(f, "arrow", openArrow) }

func FuzzArrowStream(f *testing.F) { fuzzFormat(f, "arrows", openArrowStream) }

// fuzzFormat checks that a reader returns values or one input error.
func fuzzFormat(f *testing.F, format string, open func([]byte, workload.Options) (*workload.Log, error)) {
	f.Add(smallFile(f, format))
	for _, b := range filesOf(f, "foreign", "*."+format) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := open(b, workload.Options{Workers: 1})
		if err == nil {
			defer l.Close()
			rows := int64(0)
			for batch, e := range l.Batches() {
				if err = e; err != nil {
					break
				}
				if batch.Rows > workload.DefaultBatchRows {
					t.Errorf("a batch of %d rows", batch.Rows)
				}
				for i := range batch.Rows {
					batch.Job(i, rows)
				}
				// A few bytes can encode very many nulls.
				if rows += int64(batch.Rows); rows > 1<<22 {
					return
				}
			}
		}
		var input *workload.InputError
		if err != nil && !errors.As(err, &input) {
			t.Errorf("%T %v", err, err)
		}
	})
}
