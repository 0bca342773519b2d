package logtest

import (
	"bytes"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"
)

// ForeignParquet writes a table by the library's own writer, as other programs
// would.
func ForeignParquet(t Failer, rec arrow.Record, rows int64, props ...parquet.WriterProperty) []byte {
	t.Helper()
	var b bytes.Buffer
	// Batches of 1,024, the default, break the writer of dictionaries with nulls.
	props = append([]parquet.WriterProperty{parquet.WithBatchSize(1 << 20), parquet.WithDataPageSize(8 << 10)}, props...)
	table := array.NewTableFromRecords(rec.Schema(), []arrow.Record{rec})
	defer table.Release()
	if err := pqarrow.WriteTable(table, &b, rows, parquet.NewWriterProperties(props...), pqarrow.DefaultWriterProps()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
