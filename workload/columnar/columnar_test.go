package columnar_test

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// collectAny is logtest.Collect for batches of any size.
func collectAny(t logtest.Failer, batches []*workload.Batch) *workload.Batch {
	var parts []*workload.Batch
	for _, b := range batches {
		for at := 0; at < b.Rows; at += workload.DefaultBatchRows {
			parts = append(parts, b.Slice(at, min(at+workload.DefaultBatchRows, b.Rows)))
		}
	}
	return logtest.Collect(t, logtest.Sequence(parts))
}

func parquetBytes(t logtest.Failer, h workload.Header, batches workload.BatchSeq) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := columnar.NewParquetWriter(&b, h, workload.OptionalColumns, 0)
	if err != nil {
		t.Fatal(err)
	}
	logtest.WriteAll(t, w, batches)
	return b.Bytes()
}
