package columnar_test

import (
	"bytes"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

func parquetBytes(t logtest.Failer, h workload.Header, batches workload.BatchSeq) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := columnar.NewParquetWriter(&b, h, workload.WriteOptions{Columns: workload.OptionalColumns})
	if err != nil {
		t.Fatal(err)
	}
	logtest.WriteAll(t, w, batches)
	return b.Bytes()
}

// recordOf returns a batch as an Arrow record, for the library's writers.
func recordOf(b *workload.Batch) arrow.Record {
	var fields []arrow.Field
	for _, c := range workload.Columns() {
		kind := arrow.DataType(arrow.PrimitiveTypes.Int64)
		if c.Float() {
			kind = arrow.PrimitiveTypes.Float64
		}
		fields = append(fields, arrow.Field{Name: c.Name, Type: kind, Nullable: true})
	}
	to := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	for i := range fields {
		for r := range b.Rows {
			switch to := to.Field(i).(type) {
			case *array.Float64Builder:
				to.AppendValues([]float64{b.Float(i, r)}, []bool{b.Float(i, r) == b.Float(i, r)})
			case *array.Int64Builder:
				to.AppendValues([]int64{b.Int(i, r)}, []bool{b.Int(i, r) != workload.Unknown})
			}
		}
	}
	return to.NewRecord()
}
