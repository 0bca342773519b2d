package logtest

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"
)

// ForeignParquet returns a table as written by the Arrow library's own writer, as other programs
// would write it.
func ForeignParquet(t Failer, rec arrow.Record, rows int64, props ...parquet.WriterProperty) []byte {
	t.Helper()
	var b bytes.Buffer
	// The default, batches of 1,024, breaks the library's writer of dictionaries with nulls.
	props = append([]parquet.WriterProperty{parquet.WithBatchSize(1 << 20), parquet.WithDataPageSize(8 << 10)}, props...)
	table := array.NewTableFromRecords(rec.Schema(), []arrow.Record{rec})
	defer table.Release()
	if err := pqarrow.WriteTable(table, &b, rows, parquet.NewWriterProperties(props...), pqarrow.DefaultWriterProps()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// arrowTypes maps the names of types in the first line of a typed table to Arrow's types.
var arrowTypes = map[string]arrow.DataType{
	"int16": arrow.PrimitiveTypes.Int16, "int32": arrow.PrimitiveTypes.Int32, "int64": arrow.PrimitiveTypes.Int64,
	"uint8": arrow.PrimitiveTypes.Uint8, "uint32": arrow.PrimitiveTypes.Uint32, "uint64": arrow.PrimitiveTypes.Uint64,
	"float32": arrow.PrimitiveTypes.Float32, "float64": arrow.PrimitiveTypes.Float64, "text": arrow.BinaryTypes.String,
	"utc": &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, "ms": arrow.FixedWidthTypes.Timestamp_ms, "date": arrow.FixedWidthTypes.Date32, "ns": &arrow.TimestampType{Unit: arrow.Nanosecond},
	"decimal": &arrow.Decimal128Type{Precision: 38}, "bytes": &arrow.FixedSizeBinaryType{ByteWidth: 3}, "null": arrow.Null,
	"names": &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
	"list":  arrow.ListOf(arrow.PrimitiveTypes.Float64),
}

// TypedRecord returns the record for a CSV text whose first line has the columns' types after a
// colon: name:int64, or name:int64! for a column that may not be null. Times are dates, or
// numbers in their unit; empty fields are nulls.
func TypedRecord(t Failer, text string) arrow.Record {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var fields []arrow.Field
	for _, name := range rows[0] {
		i := strings.LastIndexByte(name, ':')
		kind, required := strings.CutSuffix(name[i+1:], "!")
		fields = append(fields, arrow.Field{Name: name[:i], Type: arrowTypes[kind], Nullable: !required})
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for _, row := range rows[1:] {
		for i, text := range row {
			switch to := b.Field(i).(type) {
			case *array.ListBuilder:
				to.Append(true)
				to.ValueBuilder().(*array.Float64Builder).Append(100)
				continue
			case *array.TimestampBuilder:
				at, err := time.Parse(time.DateTime, text)
				n := at.UnixMicro()
				if err != nil {
					n, err = strconv.ParseInt(text, 10, 64)
				}
				if err == nil {
					to.Append(arrow.Timestamp(n))
					continue
				}
			}
			if text == "" {
				b.Field(i).AppendNull()
			} else if err := b.Field(i).AppendValueFromString(text); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.NewRecord()
}
