package columnar_test

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

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
