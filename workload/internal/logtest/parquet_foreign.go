package logtest

import (
	"bytes"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
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

// Recount writes a file whose footer claims other numbers of rows.
func Recount(t *testing.T, b []byte, group, total, values int64) []byte {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	meta := r.MetaData()
	meta.NumRows += total
	meta.RowGroups[0].NumRows += group
	for _, c := range meta.RowGroups[0].Columns {
		c.MetaData.NumValues += values
	}
	size := int(b[len(b)-8]) | int(b[len(b)-7])<<8 | int(b[len(b)-6])<<16
	out := bytes.NewBuffer(bytes.Clone(b[:len(b)-8-size]))
	before := out.Len()
	if _, err := meta.WriteTo(out, nil); err != nil {
		t.Fatal(err)
	}
	n := out.Len() - before
	out.Write([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
	out.WriteString("PAR1")
	return out.Bytes()
}
