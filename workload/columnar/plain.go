package columnar

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
)

// plainKind is what a column of a plain table holds.
type plainKind uint8

const (
	plainText plainKind = iota
	plainInt
	plainFloat
)

type plainColumn struct {
	name, unit, meaning string
	kind                plainKind
	cell                reflect.Value // in the row that is being written
}

// PlainFormats returns the names of the formats that PlainForm.Write knows.
func PlainFormats() []string { return []string{"csv", "parquet"} }

// plainTable writes a PlainForm's table.
type plainTable struct {
	columns []plainColumn
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

// newPlainTable begins a table. An unknown format is an error.
func newPlainTable(format string, w io.Writer, schema string, columns []plainColumn) (*plainTable, error) {
	t := &plainTable{columns: columns, out: w}
	switch format {
	case "csv":
		for i, c := range columns {
			if i > 0 {
				t.csv = append(t.csv, ',')
			}
			t.csv = append(t.csv, c.name...)
		}
		t.csv = append(t.csv, '\n')
		return t, nil
	case "parquet":
	default:
		return nil, fmt.Errorf("%q is none of %s", format, strings.Join(PlainFormats(), ", "))
	}
	var fields []arrow.Field
	for _, c := range columns {
		kind := []arrow.DataType{arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64}[c.kind]
		fields = append(fields, arrow.Field{
			Name: c.name, Type: kind, Nullable: c.kind != plainText,
			Metadata: arrow.NewMetadata([]string{"unit", "meaning"}, []string{c.unit, c.meaning}),
		})
	}
	meta := arrow.NewMetadata([]string{"schema"}, []string{schema})
	s := arrow.NewSchema(fields, &meta)
	t.batch = array.NewRecordBuilder(memory.DefaultAllocator, s)
	var err error
	if t.writer, err = newPlainParquet(w, s); err != nil {
		t.batch.Release()
		return nil, err
	}
	return t, nil
}

// add adds a row, of what the cells of the columns hold.
func (t *plainTable) add() {
	for i := range t.columns {
		if t.batch == nil && i > 0 {
			t.csv = append(t.csv, ',')
		}
		switch c := &t.columns[i]; c.kind {
		case plainText:
			text := c.cell.String()
			if c.cell.Kind() == reflect.Bool {
				text = strconv.FormatBool(c.cell.Bool())
			}
			t.text(i, text)
		case plainInt:
			t.integer(i, c.cell.Int())
		case plainFloat:
			t.float(i, c.cell.Float())
		}
	}
	if t.batch == nil {
		t.csv = append(t.csv, '\n')
	}
	if t.rows++; t.rows == plainRows {
		t.flush()
	}
}

func (t *plainTable) text(i int, s string) {
	if t.batch != nil {
		t.batch.Field(i).(*array.StringBuilder).Append(s)
	} else if s = workload.SpreadsheetText(s); strings.ContainsAny(s, ",\"\r\n") {
		t.csv = append(t.csv, '"')
		t.csv = append(t.csv, strings.ReplaceAll(s, `"`, `""`)...)
		t.csv = append(t.csv, '"')
	} else {
		t.csv = append(t.csv, s...)
	}
}

func (t *plainTable) integer(i int, n int64) {
	switch {
	case t.batch != nil && n == workload.Unknown:
		t.batch.Field(i).AppendNull()
	case t.batch != nil:
		t.batch.Field(i).(*array.Int64Builder).Append(n)
	case n != workload.Unknown:
		t.csv = strconv.AppendInt(t.csv, n, 10)
	}
}

func (t *plainTable) float(i int, x float64) {
	known := !math.IsNaN(x) && !math.IsInf(x, 0)
	switch {
	case t.batch != nil && !known:
		t.batch.Field(i).AppendNull()
	case t.batch != nil:
		t.batch.Field(i).(*array.Float64Builder).Append(x)
	case known:
		t.csv = strconv.AppendFloat(t.csv, x, 'g', -1, 64)
	}
}

func (t *plainTable) flush() {
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

// close writes what is left.
func (t *plainTable) close() error {
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
