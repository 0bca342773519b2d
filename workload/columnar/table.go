package columnar

import (
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/parquet"
	pqschema "github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// ReadTable reads columns of a Parquet file of size bytes that is not one of jobs.
// Nulls are unknown. Whole numbers may be of any type of numbers, where that is exact.
func ReadTable(name string, r io.ReaderAt, size int64, columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		if err := readTable(name, r, size, columns, func(rows *workload.TableRows) error {
			if !yield(rows, nil) {
				return errStop
			}
			return nil
		}); err != nil && err != errStop {
			yield(nil, err)
		}
	}
}

func readTable(name string, r io.ReaderAt, size int64, columns []workload.TableColumn, yield func(*workload.TableRows) error) error {
	t, err := openTable(name, r, size, columns)
	if err != nil {
		return err
	}
	defer t.zstd.Close()
	for g := range t.meta.RowGroups {
		if err := t.group(g, yield); err != nil {
			return err
		}
	}
	return nil
}

// tableReader is a Parquet file of a table that is being read.
type tableReader struct {
	*parquetReader
	fields []tableField
	texts  parse.Texts
	row    int64 // of the next row, from 1
}

// tableField is a column of such a file; at is -1 where it lacks it.
type tableField struct {
	workload.TableColumn
	at       int
	kind     numberKind
	physical parquet.Type
	optional bool
}

func openTable(name string, r io.ReaderAt, size int64, columns []workload.TableColumn) (t *tableReader, err error) {
	defer catch(name, &err)
	p, err := newParquetReader(name, r, size, workload.Options{})
	if err != nil {
		return nil, err
	}
	t = &tableReader{parquetReader: p, row: 1}
	places, missing := workload.FindTableColumns(columns, p.columnNames())
	if missing != nil {
		missing.File = name
		return nil, missing
	}
	for i, c := range columns {
		f := tableField{TableColumn: c, at: places[i]}
		if f.at >= 0 {
			if saw := f.of(p.meta.Schema.Column(f.at)); saw != "" {
				return nil, p.fault(c.Name, saw, c.Kind.String(), nil)
			}
		}
		t.fields = append(t.fields, f)
	}
	return t, p.newDecoder()
}

// of takes the type of a file's column over, or returns what it is.
func (f *tableField) of(c *pqschema.Column) (saw string) {
	if c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1 {
		return "a list or structure"
	}
	f.physical, f.optional = c.PhysicalType(), c.MaxDefinitionLevel() == 1
	text := false
	switch f.physical {
	case parquet.Types.Int32:
		f.kind.narrow = true
	case parquet.Types.Int64:
	case parquet.Types.Float:
		f.kind.float, f.kind.narrow = true, true
	case parquet.Types.Double:
		f.kind.float = true
	case parquet.Types.ByteArray:
		text = true
	default:
		return f.physical.String() + " values"
	}
	if text != (f.Kind == workload.TableText) {
		return map[bool]string{true: "texts", false: "numbers"}[text]
	}
	switch l := c.LogicalType().(type) {
	case nil, pqschema.NoLogicalType, pqschema.UnknownLogicalType, pqschema.StringLogicalType, *pqschema.StringLogicalType:
	case *pqschema.IntLogicalType:
		f.kind.natural = !l.IsSigned()
	default:
		return fmt.Sprintf("%s values", l)
	}
	return ""
}

// group decodes a row group, some rows at a time.
func (t *tableReader) group(g int, yield func(*workload.TableRows) error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = t.fault("", "", "", damageOf(x))
		}
	}()
	readers := make([]*chunkReader, len(t.fields))
	budget := newPageBudget()
	for i := range t.fields {
		f := &t.fields[i]
		if f.at < 0 {
			continue
		}
		c, err := t.chunk(g, f.at, f.Name, f.physical, f.optional)
		if err != nil {
			return err
		}
		readers[i] = newChunkReader(c, t.file, t.zstd)
		readers[i].budget = budget
		if f.Kind == workload.TableText {
			readers[i].intern = t.intern
		}
	}
	for left := t.meta.RowGroup(g).NumRows(); left > 0; {
		n := int(min(left, workload.DefaultBatchRows))
		left -= int64(n)
		rows := &workload.TableRows{File: t.name, Rows: n, Row: t.row, Columns: make([]workload.TableValues, len(t.fields))}
		for i := range t.fields {
			if readers[i] == nil {
				continue
			}
			if err := t.column(&t.fields[i], readers[i], rows, i, left == 0); err != nil {
				return t.fault(fmt.Sprintf("%s, row group %d", t.fields[i].Name, g+1), "", "", err)
			}
		}
		t.row += int64(n)
		if err := yield(rows); err != nil {
			return err
		}
	}
	return nil
}

// intern numbers a text.
func (t *tableReader) intern(text []byte) (uint64, error) {
	if want := parse.CheckText(text); want != "" {
		return 0, fmt.Errorf("saw %s, want %s", workload.Shorten(text), want)
	}
	n, _ := t.texts.Number(text)
	return uint64(n), nil
}

// column decodes the next rows of a column chunk.
func (t *tableReader) column(f *tableField, r *chunkReader, rows *workload.TableRows, i int, last bool) error {
	words, bitmap := make([]uint64, rows.Rows), make([]byte, bitutil.BytesForBits(int64(rows.Rows)))
	if _, err := r.read(words, bitmap); err != nil {
		return err
	}
	if last {
		if err := r.end(); err != nil {
			return err
		}
	}
	to := &rows.Columns[i]
	number := mappedField{kind: f.kind}
	for k, w := range words {
		known := bitmap[k>>3]>>(k&7)&1 != 0
		switch f.Kind {
		case workload.TableText:
			text := ""
			if known {
				text = string(t.texts.At(int64(w)))
			}
			to.Text = append(to.Text, text)
		case workload.TableNumber:
			x := math.NaN()
			if known {
				x, _ = number.number(w)
			}
			to.Number = append(to.Number, x)
		default:
			n := workload.Unknown
			if known {
				var err error
				if n, err = number.whole(w); err != nil {
					return fmt.Errorf("row %d: %w", rows.Row+int64(k), err)
				}
			}
			to.Whole = append(to.Whole, n)
		}
	}
	return nil
}

// whole is a word of the file as a whole number; unknown where it is NaN.
func (f *mappedField) whole(w uint64) (int64, error) {
	if !f.kind.float {
		return f.integer(w), nil
	}
	x, _ := f.number(w)
	switch {
	case x != x:
		return workload.Unknown, nil
	case x != math.Trunc(x) || math.Abs(x) > 1<<53:
		return 0, fmt.Errorf("saw %g, want a whole number", x)
	}
	return int64(x), nil
}
