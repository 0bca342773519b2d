package columnar

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/workload"
)

// PlainKind is what a column of a plain table holds.
type PlainKind uint8

// The kinds of columns.
const (
	PlainText PlainKind = iota
	PlainInt
	PlainFloat
)

// PlainColumn is a column of a plain table.
type PlainColumn struct {
	Name, Unit, Meaning string
	Kind                PlainKind
}

// PlainFormats are the formats of plain tables.
func PlainFormats() []string { return []string{"csv", "parquet", "arrow"} }

// PlainTable writes a table that is not one of jobs, predictions say, as rows
// come: memory is one batch, however long the table is. Rows are filled cell by
// cell, in the columns' order: Text, Int or Float once for each column. What is
// unknown (Unknown, NaN or infinite) is null, in CSV empty; texts in CSV are
// SpreadsheetText.
type PlainTable struct {
	columns []PlainColumn
	at      int // the column of the next cell
	rows    int // since the last flush
	err     error

	csv    []byte // of the rows since the last flush
	out    io.Writer
	batch  *array.RecordBuilder // nil for CSV
	writer interface {
		Write(arrow.Record) error
		Close() error
	}
}

// plainRows is how many rows are gathered.
const plainRows = 1 << 16

// NewPlainTable begins a table. schema is its name and version. Close ends it
// and leaves w open. An unknown format is an error.
func NewPlainTable(format string, w io.Writer, schema string, columns []PlainColumn) (*PlainTable, error) {
	t := &PlainTable{columns: columns, out: w}
	if format == "csv" {
		for i, c := range columns {
			if i > 0 {
				t.csv = append(t.csv, ',')
			}
			t.csv = append(t.csv, c.Name...)
		}
		t.csv = append(t.csv, '\n')
		return t, nil
	}
	var fields []arrow.Field
	for _, c := range columns {
		kind := []arrow.DataType{arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64}[c.Kind]
		fields = append(fields, arrow.Field{
			Name: c.Name, Type: kind, Nullable: c.Kind != PlainText,
			Metadata: arrow.NewMetadata([]string{"unit", "meaning"}, []string{c.Unit, c.Meaning}),
		})
	}
	meta := arrow.NewMetadata([]string{"schema"}, []string{schema})
	s := arrow.NewSchema(fields, &meta)
	t.batch = array.NewRecordBuilder(memory.DefaultAllocator, s)
	var err error
	switch format {
	case "arrow":
		t.writer, err = ipc.NewFileWriter(&seekTeller{tellWriter{W: w}}, ipc.WithSchema(s))
	case "parquet":
		// Small pages: the library is slow at large ones with nulls.
		props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1),
			parquet.WithDictionaryDefault(true), parquet.WithDataPageSize(64<<10), parquet.WithBatchSize(plainRows), parquet.WithMaxRowGroupLength(plainRows*8),
			parquet.WithCreatedBy(version.CreatedBy))
		// It closes what it writes to, where it can.
		t.writer, err = pqarrow.NewFileWriter(s, &tellWriter{W: w}, props, pqarrow.NewArrowWriterProperties(pqarrow.WithStoreSchema()))
	default:
		t.batch.Release()
		return nil, fmt.Errorf("%q is none of %s", format, strings.Join(PlainFormats(), ", "))
	}
	if err != nil {
		t.batch.Release()
		return nil, err
	}
	return t, nil
}

// next is the column of a cell; a cell of another kind is a programmer's error.
func (t *PlainTable) next(kind PlainKind) int {
	i := t.at
	if t.columns[i].Kind != kind {
		panic("columnar: a cell of another kind in column " + t.columns[i].Name)
	}
	if t.batch == nil && i > 0 {
		t.csv = append(t.csv, ',')
	}
	t.at++
	return i
}

// Text fills the next cell.
func (t *PlainTable) Text(s string) {
	i := t.next(PlainText)
	if t.batch != nil {
		t.batch.Field(i).(*array.StringBuilder).Append(s)
	} else if s = workload.SpreadsheetText(s); strings.ContainsAny(s, ",\"\r\n") {
		t.csv = append(t.csv, '"')
		t.csv = append(t.csv, strings.ReplaceAll(s, `"`, `""`)...)
		t.csv = append(t.csv, '"')
	} else {
		t.csv = append(t.csv, s...)
	}
	t.filled()
}

// Int fills the next cell.
func (t *PlainTable) Int(n int64) {
	i := t.next(PlainInt)
	switch {
	case t.batch != nil && n == workload.Unknown:
		t.batch.Field(i).AppendNull()
	case t.batch != nil:
		t.batch.Field(i).(*array.Int64Builder).Append(n)
	case n != workload.Unknown:
		t.csv = strconv.AppendInt(t.csv, n, 10)
	}
	t.filled()
}

// Float fills the next cell.
func (t *PlainTable) Float(x float64) {
	i := t.next(PlainFloat)
	known := !math.IsNaN(x) && !math.IsInf(x, 0)
	switch {
	case t.batch != nil && !known:
		t.batch.Field(i).AppendNull()
	case t.batch != nil:
		t.batch.Field(i).(*array.Float64Builder).Append(x)
	case known:
		t.csv = strconv.AppendFloat(t.csv, x, 'g', -1, 64)
	}
	t.filled()
}

// filled ends a row with its last cell.
func (t *PlainTable) filled() {
	if t.at < len(t.columns) {
		return
	}
	t.at = 0
	if t.batch == nil {
		t.csv = append(t.csv, '\n')
	}
	if t.rows++; t.rows == plainRows {
		t.flush()
	}
}

func (t *PlainTable) flush() {
	if t.batch == nil {
		if t.err == nil {
			_, t.err = t.out.Write(t.csv)
		}
		t.csv = t.csv[:0]
	} else if t.rows > 0 {
		rec := t.batch.NewRecord()
		if t.err == nil {
			t.err = t.writer.Write(rec)
		}
		rec.Release()
	}
	t.rows = 0
}

// Err is the first error of writing, so that a long table can be left early.
func (t *PlainTable) Err() error { return t.err }

// Close writes what is left.
func (t *PlainTable) Close() error {
	t.flush()
	if t.batch == nil {
		return t.err
	}
	t.batch.Release()
	if err := t.writer.Close(); t.err == nil {
		t.err = err
	}
	return t.err
}
