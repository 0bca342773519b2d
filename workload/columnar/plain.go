package columnar

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	pqschema "github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/workload"
)

// PlainForm describes a table that does not hold jobs, such as predictions, with rows of
// type R, a struct. A column is a field of R, a string, a bool, a whole number or a float64, with
// the tags of package field: json for its name, help for its meaning and, where the name
// does not end in it, unit.
//
//	Seconds float64 `json:"predicted_s" help:"predicted run time"`
//
// Unknown values (workload.Unknown, NaN and infinities) are written as null, in CSV as empty
// fields. Texts in CSV are made safe for spreadsheets by workload.SpreadsheetText.
type PlainForm[R any] struct {
	Schema  string   // name and version, such as loadstone.wait-predictions/1; kept as metadata in Parquet
	Without []string // columns that are left out
}

// PlainFormats returns the names of the formats that PlainForm.Write knows.
func PlainFormats() []string { return []string{"csv", "parquet"} }

// Write writes a table to w in one of PlainFormats; it does not close w. It calls run
// once, and run calls save for each row in order. save returns the first error in
// writing, so that run can stop early. Rows are written in batches, so memory use does
// not grow with the table.
func (p PlainForm[R]) Write(format string, w io.Writer, run func(save func(R) error) error) error {
	var row R // one for all: the cells of the columns are its fields
	of := field.Row{reflect.ValueOf(&row).Elem()}
	var fields []arrow.Field
	var cells []reflect.Value
	for _, f := range field.Of[R]() {
		if f.Name != "" && !slices.Contains(p.Without, f.Name) {
			cells = append(cells, f.Value(of))
			fields = append(fields, plainField(f, cells[len(cells)-1]))
		}
	}
	var t plainTable
	switch format {
	case "csv":
		t = newPlainCSV(w, fields, cells)
	case "parquet":
		var err error
		if t, err = newPlainParquet(w, p.Schema, fields, cells); err != nil {
			return err
		}
	default:
		return fmt.Errorf("%q is none of %s", format, strings.Join(PlainFormats(), ", "))
	}
	err := run(func(r R) error {
		row = r
		return t.add()
	})
	if fault := t.close(); err == nil {
		err = fault
	}
	return err
}

// plainTable writes a table: add adds a row of what the cells hold.
type plainTable interface {
	add() error
	close() error
}

func plainField(f field.Field, cell reflect.Value) arrow.Field {
	unit, _ := f.Tag("unit")
	if strings.HasSuffix(f.Name, "_s") {
		unit = "s"
	}
	var kind arrow.DataType = arrow.BinaryTypes.String
	switch {
	case cell.CanInt():
		kind = arrow.PrimitiveTypes.Int64
	case cell.CanFloat():
		kind = arrow.PrimitiveTypes.Float64
	}
	return arrow.Field{Name: f.Name, Type: kind, Nullable: kind != arrow.BinaryTypes.String, Metadata: arrow.NewMetadata([]string{"unit", "meaning"}, []string{unit, f.Help()})}
}

// isKnown reports whether a cell has a value.
func isKnown(cell reflect.Value) bool {
	switch {
	case cell.CanInt():
		return cell.Int() != workload.Unknown
	case cell.CanFloat():
		return !math.IsNaN(cell.Float()) && !math.IsInf(cell.Float(), 0)
	}
	return true
}

// plainText is the text of a cell without a number.
func plainText(cell reflect.Value) string {
	if cell.Kind() == reflect.Bool {
		return strconv.FormatBool(cell.Bool())
	}
	return cell.String()
}

type plainCSV struct {
	*bufio.Writer // which keeps the first error
	cells         []reflect.Value
}

func newPlainCSV(to io.Writer, fields []arrow.Field, cells []reflect.Value) *plainCSV {
	p := &plainCSV{bufio.NewWriterSize(to, 1<<16), cells}
	for i, f := range fields {
		if i > 0 {
			p.WriteByte(',')
		}
		p.WriteString(f.Name)
	}
	p.WriteByte('\n')
	return p
}

func (p *plainCSV) add() error {
	for i, cell := range p.cells {
		if i > 0 {
			p.WriteByte(',')
		}
		switch b := p.AvailableBuffer(); {
		case !isKnown(cell):
		case cell.CanInt():
			p.Write(strconv.AppendInt(b, cell.Int(), 10))
		case cell.CanFloat():
			p.Write(strconv.AppendFloat(b, cell.Float(), 'g', -1, 64))
		default:
			text := workload.SpreadsheetText(plainText(cell))
			if strings.ContainsAny(text, ",\"\r\n") {
				text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			}
			p.WriteString(text)
		}
	}
	return p.WriteByte('\n')
}

func (p *plainCSV) close() error { return p.Flush() }

// plainRows is how many rows a row group has.
const plainRows = 1 << 16

// plainParquet gathers rows and writes them as row groups, by Arrow's writer of columns:
// pqarrow, which does more of it, imports Arrow's compute kernels and gRPC, a fifth of the
// size of the command.
type plainParquet struct {
	file    *file.Writer
	columns []plainColumn
	rows    int
	err     error
}

// plainColumn has the known values of the rows gathered, and a level for each row: 0 for a
// null, else 1.
type plainColumn struct {
	cell   reflect.Value
	levels []int16
	ints   []int64
	floats []float64
	texts  []parquet.ByteArray
}

func newPlainParquet(w io.Writer, schema string, fields []arrow.Field, cells []reflect.Value) (*plainParquet, error) {
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCompressionLevel(1),
		parquet.WithDictionaryDefault(true), parquet.WithDataPageSize(64<<10), parquet.WithBatchSize(plainRows),
		parquet.WithCreatedBy(version.CreatedBy))
	p := &plainParquet{}
	var nodes pqschema.FieldList
	for i, f := range fields {
		repetition, physical, logical := parquet.Repetitions.Optional, parquet.Types.Double, pqschema.LogicalType(pqschema.NoLogicalType{})
		switch f.Type.ID() {
		case arrow.STRING:
			repetition, physical, logical = parquet.Repetitions.Required, parquet.Types.ByteArray, pqschema.StringLogicalType{}
		case arrow.INT64:
			physical, logical = parquet.Types.Int64, pqschema.NewIntLogicalType(64, true)
		}
		node, err := pqschema.NewPrimitiveNodeLogical(f.Name, repetition, logical, physical, -1, -1)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
		p.columns = append(p.columns, plainColumn{cell: cells[i]})
	}
	root, err := pqschema.NewGroupNode(props.RootName(), props.RootRepetition(), nodes, -1)
	if err != nil {
		return nil, err
	}
	pairs := arrow.NewMetadata([]string{"schema"}, []string{schema})
	stored, err := storedSchema(arrow.NewSchema(fields, &pairs))
	if err != nil {
		return nil, err
	}
	meta := metadata.KeyValueMetadata{}
	if err := errors.Join(meta.Append("schema", schema), meta.Append(storedSchemaKey, stored)); err != nil {
		return nil, err
	}
	// The writer closes what it writes to, where it can: a tellWriter cannot be closed.
	p.file = file.NewParquetWriter(&tellWriter{W: w}, root, file.WithWriterProps(props), file.WithWriteMetadata(meta))
	return p, nil
}

func (p *plainParquet) add() error {
	for i := range p.columns {
		c := &p.columns[i]
		if !isKnown(c.cell) {
			c.levels = append(c.levels, 0)
			continue
		}
		switch c.levels = append(c.levels, 1); {
		case c.cell.CanInt():
			c.ints = append(c.ints, c.cell.Int())
		case c.cell.CanFloat():
			c.floats = append(c.floats, c.cell.Float())
		default:
			c.texts = append(c.texts, parquet.ByteArray(plainText(c.cell)))
		}
	}
	if p.rows++; p.rows == plainRows && p.err == nil {
		p.err = p.flush()
	}
	return p.err
}

// flush writes the rows gathered as a row group.
func (p *plainParquet) flush() error {
	p.rows = 0
	group := p.file.AppendRowGroup()
	for i := range p.columns {
		c := &p.columns[i]
		chunk, err := group.NextColumn()
		switch w := chunk.(type) {
		case *file.ByteArrayColumnChunkWriter:
			_, err = w.WriteBatch(c.texts, nil, nil) // a text is never null
		case *file.Int64ColumnChunkWriter:
			_, err = w.WriteBatch(c.ints, c.levels, nil)
		case *file.Float64ColumnChunkWriter:
			_, err = w.WriteBatch(c.floats, c.levels, nil)
		}
		if err != nil {
			return err
		}
		c.levels, c.ints, c.floats, c.texts = c.levels[:0], c.ints[:0], c.floats[:0], c.texts[:0]
	}
	return group.Close()
}

// close writes what is left and the footer.
func (p *plainParquet) close() error {
	if p.rows > 0 && p.err == nil {
		p.err = p.flush()
	}
	if err := p.file.Close(); p.err == nil {
		p.err = err
	}
	return p.err
}

// storedSchemaKey is the key of a Parquet file's metadata under which readers of Arrow
// look for storedSchema.
const storedSchemaKey = "ARROW:schema"

// storedSchema is a schema in Arrow's form, with what Parquet has no place for: the unit
// and the meaning of each column.
func storedSchema(s *arrow.Schema) (string, error) {
	var b bytes.Buffer
	if err := ipc.NewWriter(&b, ipc.WithSchema(s)).Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
