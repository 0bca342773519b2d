package columnar

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// ReadArrowTable is like ReadTable but reads an Arrow file of size bytes.
func ReadArrowTable(name string, r io.ReaderAt, size int64, columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		a, err := newArrowFile(name, r, size)
		if err != nil {
			yield(nil, err)
			return
		}
		readArrowTable(a, columns, yield)
	}
}

// ReadArrowStreamTable is like ReadTable but reads an Arrow stream.
func ReadArrowStreamTable(name string, r io.Reader, columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		readArrowTable(newArrowStream(name, r), columns, yield)
	}
}

// arrowTable is an Arrow file of a table that is being read.
type arrowTable struct {
	*arrowReader
	fields []arrowTableField
}

// arrowTableField is a column of such a file.
type arrowTableField struct {
	workload.TableColumn
	at      int        // -1 where the file lacks it
	numbers arrowField // of texts, the numbers of categories, if any
	texts   parse.Texts
}

func readArrowTable(a *arrowReader, columns []workload.TableColumn, yield func(*workload.TableRows, error) bool) {
	t := &arrowTable{arrowReader: a}
	err := t.open(columns)
	if err == nil {
		defer a.ipc.Release()
		for err == nil {
			err = t.batch(yield)
		}
	}
	if err != io.EOF && err != errStop {
		yield(nil, err)
	}
}

// batch reads the next batch, some rows at a time.
func (t *arrowTable) batch(yield func(*workload.TableRows, error) bool) error {
	var batch arrow.Record
	if err := t.read(func(rec arrow.Record) error { batch = rec; return nil }); err != nil {
		return err
	}
	all := int(batch.NumRows())
	for from := 0; from < all; from += workload.DefaultBatchRows {
		rows, err := t.part(batch, from, min(workload.DefaultBatchRows, all-from))
		if err != nil {
			return err
		}
		if !yield(rows, nil) {
			return errStop
		}
	}
	t.rows += int64(all)
	return nil
}

// open finds the columns.
func (t *arrowTable) open(columns []workload.TableColumn) (err error) {
	defer catch(t.name, &err)
	names, err := t.start(nil)
	if err != nil {
		return err
	}
	t.ours = true // a stream without an end mark is an error
	places, missing := workload.FindTableColumns(columns, names)
	if missing != nil {
		missing.File = t.name
		return missing
	}
	for i, c := range columns {
		f := arrowTableField{TableColumn: c, at: places[i]}
		if f.at >= 0 {
			kind := t.ipc.Schema().Field(f.at).Type
			if kind.ID() == arrow.NULL && c.Optional {
				f.at = -1
			} else if !f.of(kind) {
				return &workload.InputError{File: t.name, Field: c.Name, Saw: fmt.Sprintf("%s values", kind), Want: c.Kind.String()}
			}
		}
		t.fields = append(t.fields, f)
	}
	return nil
}

// of sets the type of the file's column; ok is false for a type that cannot be read.
func (f *arrowTableField) of(t arrow.DataType) (ok bool) {
	if f.Kind != workload.TableText {
		return f.numbers.numbers(t)
	}
	if d, is := t.(*arrow.DictionaryType); is && f.numbers.numbers(d.IndexType) {
		t = d.ValueType
	}
	return t.ID() == arrow.STRING || t.ID() == arrow.LARGE_STRING
}

// part reads n rows of a batch, whose lengths and counts are not trusted.
func (t *arrowTable) part(batch arrow.Record, from, n int) (rows *workload.TableRows, err error) {
	at := ""
	defer func() {
		if x := recover(); x != nil {
			err = damageOf(x)
		}
		if err != nil {
			err = &workload.InputError{File: t.name, Field: fmt.Sprintf("%s, batch %d", at, t.messages.records), Err: err}
		}
	}()
	rows = &workload.TableRows{File: t.name, Rows: n, Row: t.rows + int64(from) + 1, Columns: make([]workload.TableValues, len(t.fields))}
	for i := range t.fields {
		f := &t.fields[i]
		if f.at < 0 {
			continue
		}
		at = f.Name
		column := batch.Column(f.at)
		if column.Len() != int(batch.NumRows()) {
			return nil, fmt.Errorf("%d rows in a batch of %d", column.Len(), batch.NumRows())
		}
		for k := from; k < from+n; k++ {
			word, known, err := f.word(column, k)
			if err == nil {
				err = f.add(&rows.Columns[i], word, known)
			}
			if err != nil {
				return nil, fmt.Errorf("row %d: %w", t.rows+int64(k)+1, err)
			}
		}
	}
	return rows, nil
}

// word is a value of a column, of a text its number.
func (f *arrowTableField) word(column arrow.Array, k int) (w uint64, known bool, err error) {
	if column.IsNull(k) {
		return 0, false, nil
	}
	if f.Kind != workload.TableText {
		data := column.Data()
		values := data.Buffers()[1].Bytes()
		return f.numbers.word(values[(data.Offset()+k)*f.numbers.bytes:]), true, nil
	}
	if d, ok := column.(*array.Dictionary); ok {
		if column, k = d.Dictionary(), d.GetValueIndex(k); column.IsNull(k) {
			return 0, false, nil
		}
	}
	text, ok := column.(interface{ Value(int) string })
	if !ok {
		return 0, false, errors.New("no texts")
	}
	if err := checkText([]byte(text.Value(k))); err != nil {
		return 0, false, err
	}
	n, _ := f.texts.Number([]byte(text.Value(k)))
	return uint64(n), true, nil
}

// add enters the next value: its word in the file, of a text its number.
func (f *arrowTableField) add(to *workload.TableValues, w uint64, known bool) (err error) {
	switch f.Kind {
	case workload.TableText:
		text := ""
		if known {
			text = string(f.texts.At(int64(w)))
		}
		to.Text = append(to.Text, text)
	case workload.TableWhole:
		n := workload.Unknown
		if known {
			if n, known, err = f.numbers.kind.whole(w); !known {
				n = workload.Unknown
			}
		}
		to.Whole = append(to.Whole, n)
	default:
		x := math.NaN()
		if known {
			x = f.numbers.kind.value(w)
		}
		to.Number = append(to.Number, x)
	}
	return err
}
