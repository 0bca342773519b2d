package columnar

import (
	"fmt"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Source is a Parquet table of any program, of which columns are read by their
// names: one file, or the part files of a folder.
type Source struct {
	name    string
	parts   []sourcePart
	columns []workload.FileColumn
	values  []int64 // of each column, without nulls and what means as much
	rows    int64
	workers int

	warnings workload.Warnings
}

// sourcePart opens a file of a table: once for its columns and counts, and each
// time that the table is read.
type sourcePart func() (*parquetReader, func() error, error)

// OpenSource opens a Parquet file of size bytes. The caller closes r when it is
// done with the source. The error is an *InputError.
func OpenSource(name string, r io.ReaderAt, size int64, o workload.Options) (s *Source, err error) {
	return openSource(name, []sourcePart{func() (*parquetReader, func() error, error) {
		p, err := newParquetReader(name, r, size, o)
		return p, func() error { return nil }, err
	}}, o)
}

// OpenSourceFolder opens a folder of Parquet files that are parts of one table, in
// the order of their names. It is nil where the folder has none. The error is an
// *InputError.
func OpenSourceFolder(name, path string, o workload.Options) (*Source, error) {
	files, err := PartFiles(path)
	if err != nil {
		return nil, parse.InputFault(name, err)
	}
	if len(files) == 0 {
		return nil, nil
	}
	parts := make([]sourcePart, len(files))
	for i, file := range files {
		parts[i] = func() (*parquetReader, func() error, error) { return openPart(file, o) }
	}
	return openSource(name, parts, o)
}

func openSource(name string, parts []sourcePart, o workload.Options) (*Source, error) {
	s := &Source{name: name, parts: parts, workers: par.Workers(o.Workers)}
	for _, part := range parts {
		if err := s.look(part); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// look takes a part's columns and counts over.
func (s *Source) look(part sourcePart) (err error) {
	defer catch(s.name, &err)
	p, done, err := part()
	if err != nil {
		return err
	}
	defer done()
	columns, values := p.fileColumns()
	s.columns, s.values = columns, values
	s.rows += p.meta.NumRows
	return nil
}

// fileColumns are the columns of a file, and how many values that are not
// unknown the footer tells of in each. A list or structure is one column.
func (p *parquetReader) fileColumns() (columns []workload.FileColumn, values []int64) {
	schema := p.meta.Schema
	for at := range schema.NumColumns() {
		c := schema.Column(at)
		t := typeOf(c)
		f := workload.FileColumn{Name: c.Path(), Kind: t.kind, Type: typeWords(c), Nested: t.unread != ""}
		if t.nested {
			f.Name, _, _ = strings.Cut(f.Name, ".")
			f.Type = t.unread
			if n := len(columns); n > 0 && columns[n-1].Name == f.Name {
				continue
			}
		}
		columns, values = append(columns, f), append(values, p.known(at))
	}
	return columns, values
}

// Columns are those of the table, in the order of the file.
func (s *Source) Columns() []workload.FileColumn { return s.columns }

// Warnings are what is odd in the rows read so far.
func (s *Source) Warnings() *workload.Warnings { return &s.warnings }

// Rows is the number of rows that the footers promise.
func (s *Source) Rows() int64 { return s.rows }

// LeftOut warns of the columns that have values and are not among those used,
// with the number of the values.
func (s *Source) LeftOut(used func(column string) bool, w *workload.Warnings) {
	for i, c := range s.columns {
		if !used(c.Name) {
			leftOut(c.Name, s.values[i], w)
		}
	}
}

// Read yields the columns asked for, some rows at a time; other columns are not
// read. Whole numbers may be stored as any numbers that are whole, and numbers as
// whole numbers, decimals or times. It may be called again, to read from the start.
func (s *Source) Read(columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		read := func(yield func(*workload.TableRows, error) bool) { s.read(columns, yield) }
		if s.workers > 1 {
			// One batch is decoded while another is used.
			same := func(rows *workload.TableRows) (*workload.TableRows, error) { return rows, nil }
			par.Map(1, read, same, nil)(yield)
			return
		}
		read(yield)
	}
}

func (s *Source) read(columns []workload.TableColumn, yield func(*workload.TableRows, error) bool) {
	for _, part := range s.parts {
		if err := s.readPart(part, columns, yield); err != nil {
			if err != errStop {
				yield(nil, err)
			}
			return
		}
	}
}

func (s *Source) readPart(part sourcePart, columns []workload.TableColumn, yield func(*workload.TableRows, error) bool) (err error) {
	p, done, err := part()
	if err != nil {
		return err
	}
	defer done()
	t, err := newSourceReader(p, columns)
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

// ReadTable reads columns of a Parquet file of size bytes that is not one of jobs.
func ReadTable(name string, r io.ReaderAt, size int64, columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		s, err := OpenSource(name, r, size, workload.Options{})
		if err != nil {
			yield(nil, err)
			return
		}
		s.Read(columns)(yield)
	}
}

// accepts says what is wrong with reading a column as one of that kind; empty
// where nothing is.
func (t *columnType) accepts(kind workload.TableKind) (saw string) {
	switch {
	case t.unread != "":
		return t.unread
	case kind == t.kind, kind == workload.TableNumber && t.kind != workload.TableText, kind == workload.TableWhole && t.kind == workload.TableNumber:
		return ""
	case kind == workload.TableText && t.kind != workload.TableTime:
		return "numbers"
	}
	return fmt.Sprint(t.kind)
}
