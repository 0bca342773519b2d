package columnar

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v15/arrow/bitutil"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// sourceReader is a Parquet file of a table that is being read.
type sourceReader struct {
	*parquetReader
	fields []sourceField
	row    int64 // of the next row, from 1
}

// sourceField is a column asked for; at is -1 where the file lacks it.
type sourceField struct {
	workload.TableColumn
	at     int
	stored columnType
	texts  parse.Texts
}

func newSourceReader(p *parquetReader, columns []workload.TableColumn) (t *sourceReader, err error) {
	defer catch(p.name, &err)
	t = &sourceReader{parquetReader: p, row: 1}
	places, missing := workload.FindTableColumns(columns, p.columnNames())
	if missing != nil {
		missing.File = p.name
		return nil, missing
	}
	for i, c := range columns {
		f := sourceField{TableColumn: c, at: places[i]}
		if f.at >= 0 {
			f.stored = typeOf(p.meta.Schema.Column(f.at))
			if saw := f.stored.accepts(c.Kind); saw != "" {
				return nil, p.fault(c.Name, saw, c.Kind.String(), nil)
			}
		}
		t.fields = append(t.fields, f)
	}
	return t, p.newDecoder()
}

// group decodes a row group, some rows at a time.
func (t *sourceReader) group(g int, yield func(*workload.TableRows, error) bool) (err error) {
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
		c, err := t.chunk(g, f.at, f.Name, &f.stored)
		if err != nil {
			return err
		}
		readers[i] = newChunkReader(c, t.file, t.zstd)
		readers[i].budget = budget
		readers[i].intern = f.intern
	}
	for left := t.meta.RowGroup(g).NumRows(); left > 0; {
		n := int(min(left, workload.DefaultBatchRows))
		left -= int64(n)
		rows := &workload.TableRows{File: t.name, Rows: n, Row: t.row, Columns: make([]workload.TableValues, len(t.fields))}
		errs := make([]error, len(readers))
		par.Each(t.workers, len(readers), func(i int) {
			if readers[i] != nil {
				errs[i] = t.column(&t.fields[i], readers[i], rows, i, left == 0)
			}
		})
		for i, err := range errs {
			if err != nil {
				return t.fault(fmt.Sprintf("%s, row group %d", t.fields[i].Name, g+1), "", "", err)
			}
		}
		t.row += int64(n)
		if !yield(rows, nil) {
			return errStop
		}
	}
	return nil
}

// intern numbers a text.
func (f *sourceField) intern(text []byte) (uint64, error) {
	if want := parse.CheckText(text); want != "" {
		return 0, fmt.Errorf("saw %s, want %s", workload.Shorten(text), want)
	}
	n, _ := f.texts.Number(text)
	return uint64(n), nil
}

// column decodes the next rows of a column chunk.
func (t *sourceReader) column(f *sourceField, r *chunkReader, rows *workload.TableRows, i int, last bool) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = damageOf(x)
		}
	}()
	words, bitmap := make([]uint64, rows.Rows), make([]byte, bitutil.BytesForBits(int64(rows.Rows)))
	if _, err := r.read(words, bitmap); err != nil {
		return err
	}
	if last {
		if err := r.end(); err != nil {
			return err
		}
	}
	for k, w := range words {
		if err := f.add(&rows.Columns[i], w, bitmap[k>>3]>>(k&7)&1 != 0); err != nil {
			return fmt.Errorf("row %d: %w", rows.Row+int64(k), err)
		}
	}
	return nil
}

// add enters the next value: its word in the file, of a text its number.
func (f *sourceField) add(to *workload.TableValues, w uint64, known bool) (err error) {
	switch f.Kind {
	case workload.TableText:
		text := ""
		if known {
			text = string(f.texts.At(int64(w)))
		}
		to.Text = append(to.Text, text)
	case workload.TableNumber, workload.TableTime:
		x := math.NaN()
		if known {
			x = f.stored.number.value(w)
		}
		to.Number = append(to.Number, x)
	default:
		n := workload.Unknown
		if known {
			n, err = f.stored.number.whole(w)
		}
		to.Whole = append(to.Whole, n)
	}
	return err
}

// whole is a word of the file as a whole number; unknown where it is NaN.
func (k numberKind) whole(w uint64) (int64, error) {
	if !k.float {
		return k.integer(w), nil
	}
	x := k.value(w)
	switch {
	case x != x:
		return workload.Unknown, nil
	case x != math.Trunc(x) || math.Abs(x) > 1<<53:
		return 0, fmt.Errorf("saw %g, want a whole number", x)
	}
	return int64(x), nil
}
