package columnar

import (
	"io"
	"iter"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Source is a Parquet table written by any program: one file, or several part files with
// the same columns. Columns are read by name.
type Source struct {
	name     string
	parts    []part
	columns  []sourceColumn
	rows     int64
	workers  int
	clock    parse.Clock // of local times
	placed   bool        // its zone was asked for
	warnings *workload.Warnings

	header      workload.Header // that the first part holds
	headerFault error           // of any part
}

// sourceColumn is a column of all parts.
type sourceColumn struct {
	workload.FileColumn
	values int64 // without nulls
	blank  bool  // all values are the same, which stands for unknown
	null   bool  // no part gives its type
}

// OpenSource opens a Parquet file of size bytes. Of o it uses Workers and TimeZone. The
// caller closes r after the last use of the source. The error is a *workload.InputError.
func OpenSource(name string, r io.ReaderAt, size int64, o workload.Options) (*Source, error) {
	open := func() (*parquetFile, func() error, error) {
		p, err := openParquetFile(name, r, size)
		return p, func() error { return nil }, err
	}
	return openSource(name, []part{{name, open}}, o)
}

func openSource(name string, parts []part, o workload.Options) (*Source, error) {
	zone, err := o.Zone()
	if err != nil {
		return nil, err
	}
	s := &Source{
		name: name, parts: parts, workers: par.Workers(o.Workers),
		clock: parse.Clock{Zone: zone}, placed: o.TimeZone != "", warnings: new(workload.Warnings),
	}
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
		values, blank := p.known(at)
		columns = append(columns, sourceColumn{f, values, blank, t.null})
	}
	return columns
}

// accepts returns "" if the column can be read as one of that kind, else what the column
// is, for a message.
func (c *sourceColumn) accepts(kind workload.TableKind) (saw string) {
	switch {
	case !c.Nested && (c.null || kind == c.Kind || kind == workload.TableNumber && c.Kind != workload.TableText || kind == workload.TableWhole && c.Kind == workload.TableNumber):
		return ""
	case !c.Nested && kind == workload.TableText && c.Kind != workload.TableTime:
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

// Warnings returns the warnings about the rows read so far.
func (s *Source) Warnings() *workload.Warnings { return s.warnings }

// LeftOut adds a warning to w for each column that has values but is not used, with the
// number of its values.
func (s *Source) LeftOut(used func(column string) bool, w *workload.Warnings) {
	for _, c := range s.columns {
		if !used(c.Name) && c.values > 0 && !c.blank {
			name, _, _ := strings.Cut(c.Name, ".") // of a structure
			w.Count(workload.Warning{Rule: "left-out-" + strings.ToValidUTF8(name, "?"), Text: "values of a column that the job table does not have", Count: c.values, Saw: name})
		}
	}
}

// Read yields the given columns, a batch of rows at a time; other columns are not decoded.
// A column of whole numbers may be stored in any numeric type as long as its values are
// whole; a column of numbers may be stored as integers, floats, decimals or times. Times
// without a zone are local times in Options.TimeZone. Each iteration starts at the first
// row.
func (s *Source) Read(columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		for b, err := range s.ahead(s.batches(columns, false)) {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&b.rows, nil) {
				return
			}
		}
	}
}

// ahead yields the batches, and adds their warnings to those of the source. With several
// workers, a batch is decoded while the one before is in use.
func (s *Source) ahead(batches iter.Seq2[*batch, error]) iter.Seq2[*batch, error] {
	if s.workers > 1 {
		batches = par.Map(1, batches, func(b *batch) (*batch, error) { return b, nil }, nil)
	}
	return func(yield func(*batch, error) bool) {
		for b, err := range batches {
			if err == nil {
				for i := range b.warnings {
					s.warnings.Merge(&b.warnings[i])
				}
			}
			if !yield(b, err) {
				return
			}
		}
	}
}
