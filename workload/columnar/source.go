package columnar

import (
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Source is a Parquet table written by any program: one file, or several part files with
// the same columns. Columns are read by name.
type Source struct {
	name    string
	parts   []part
	columns []sourceColumn
	rows    int64
	workers int

	header      workload.Header // that the first part holds
	headerFault error           // of any part
}

// sourceColumn is a column of all parts.
type sourceColumn struct {
	workload.FileColumn
	values int64 // without nulls
	null   bool  // no part gives its type
}

// OpenSource opens a Parquet file of size bytes, which at most workers goroutines decode, 0 for one
// per core. The caller closes r after the last use of the source. The error is a
// *workload.InputError.
func OpenSource(name string, r io.ReaderAt, size int64, workers int) (*Source, error) {
	open := func() (*parquetFile, func() error, error) {
		p, err := openParquetFile(name, r, size)
		return p, func() error { return nil }, err
	}
	return openSource(name, []part{{name, open}}, workers)
}

func openSource(name string, parts []part, workers int) (*Source, error) {
	s := &Source{name: name, parts: parts, workers: par.Workers(workers)}
	for i := range parts {
		if err := s.look(i); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// look adds a part's columns and counts to the source.
func (s *Source) look(i int) (err error) {
	part := s.parts[i]
	defer catch(part.name, &err)
	p, done, err := part.open()
	if err != nil {
		return err
	}
	defer done()
	columns := p.columns()
	s.rows += p.meta.NumRows
	h, err := readMetadata(p.name, p.value)
	if s.headerFault == nil {
		s.headerFault = err
	}
	if i > 0 {
		return s.join(p, columns)
	}
	s.columns, s.header = columns, h
	return nil
}

// columns returns the columns of a file. A list or structure is one column.
func (p *parquetFile) columns() (columns []sourceColumn) {
	schema := p.meta.Schema
	for at := range schema.NumColumns() {
		c := schema.Column(at)
		t := typeOf(c)
		f := workload.FileColumn{Name: c.Path(), Kind: t.kind, Type: t.unread, Nested: t.unread != ""}
		if t.nested {
			f.Name, _, _ = strings.Cut(f.Name, ".")
			if n := len(columns); n > 0 && columns[n-1].Name == f.Name {
				continue
			}
		}
		columns = append(columns, sourceColumn{f, p.known(at), t.null})
	}
	return columns
}

// accepts returns "" if the column can be read as one of that kind, else what the column
// is, for a message.
func (c *sourceColumn) accepts(kind workload.TableKind) (saw string) {
	switch {
	case !c.Nested && (c.null || kind == c.Kind || kind == workload.TableNumber && c.Kind != workload.TableText || kind == workload.TableWhole && c.Kind == workload.TableNumber):
		return ""
	case !c.Nested && kind == workload.TableText && !c.Kind.IsTime():
		return "numbers"
	}
	return c.what()
}

// Columns returns the table's columns in the order of the first file.
func (s *Source) Columns() []workload.FileColumn {
	columns := make([]workload.FileColumn, len(s.columns))
	for i, c := range s.columns {
		columns[i] = c.FileColumn
	}
	return columns
}

// Header returns the header of a job table, which is in its metadata; of other tables it is empty.
func (s *Source) Header() (workload.Header, error) { return s.header, s.headerFault }

// Read yields the given columns, a batch of rows at a time; other columns are not decoded.
// A column of whole numbers may be stored in any numeric type as long as its values are
// whole; a column of numbers may be stored as integers, floats, decimals or times. The value
// -1<<63 is read as unknown. Each iteration starts at the first row.
func (s *Source) Read(columns []workload.TableColumn) workload.Table {
	if s.workers == 1 {
		return s.batches(columns)
	}
	// A batch is decoded while the one before is in use.
	return par.Map(1, s.batches(columns), func(r *workload.TableRows) (*workload.TableRows, error) { return r, nil }, nil)
}
