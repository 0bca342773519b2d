package columnar_test

import (
	"bytes"
	"iter"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// collectAny is collect for batches of any size.
func collectAny(t logtest.Failer, batches iter.Seq2[arrow.Record, error], mem memory.Allocator) arrow.Record {
	return logtest.Collect(t, func(yield func(arrow.Record, error) bool) {
		for rec, err := range batches {
			for at := int64(0); err == nil && at < rec.NumRows(); at += workload.DefaultBatchRows {
				part := rec.NewSlice(at, min(at+workload.DefaultBatchRows, rec.NumRows()))
				goOn := yield(part, nil)
				part.Release()
				if !goOn {
					return
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}, mem)
}

func parquetBytes(t logtest.Failer, h workload.Header, batches iter.Seq2[arrow.Record, error]) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := columnar.NewParquetWriter(&b, h, workload.OptionalColumns, 0)
	if err != nil {
		t.Fatal(err)
	}
	logtest.WriteAll(t, w, batches)
	return b.Bytes()
}
