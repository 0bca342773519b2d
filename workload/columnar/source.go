package columnar

import (
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Source is a Parquet table written by any program: one file, or several part files with
// the same columns. Columns are read by name.
type Source struct {
	name    string
	first   string // the name of the first part
	parts   []sourcePart
	columns []sourceColumn
	rows    int64
	workers int
	zone    *time.Location
	placed  bool // the zone was asked for

	warnings workload.Warnings
	used     sync.Pool // of *sourceBatch
}

// sourcePart is a file of a table.
type sourcePart struct {
	// open opens it: once for its columns and counts, and each time that the
	// table is read.
	open       func() (*parquetReader, func() error, error)
	partitions []partition
}

// sourceColumn is a column of all parts.
type sourceColumn struct {
	workload.FileColumn
	values int64 // without nulls and what means as much
	null   bool  // no part says its type
}

// OpenSource opens a Parquet file of size bytes. Of o it uses Workers and TimeZone. The
// caller closes r after the last use of the source. The error is a *workload.InputError.
func OpenSource(name string, r io.ReaderAt, size int64, o workload.Options) (s *Source, err error) {
	return openSource(name, []sourcePart{{open: func() (*parquetReader, func() error, error) {
		p, err := newParquetReader(name, r, size, o)
		return p, func() error { return nil }, err
	}}}, o)
}

// OpenSourceFolder opens the Parquet files in a folder as the parts of one table, in the
// order of PartFiles. A subfolder of a Hive partition, such as site=kth, adds a column (site)
// with that value (kth) to the files below it. The source is nil if there are no Parquet
// files. The error is a *workload.InputError, for example where columns differ between
// parts.
func OpenSourceFolder(name, path string, o workload.Options) (*Source, error) {
	files, err := partFiles(path, nil, maxPartitions)
	if err != nil {
		return nil, parse.InputFault(name, err)
	}
	if len(files) == 0 {
		return nil, nil
	}
	return openSourceParts(name, files, o)
}

// OpenSourceFiles opens Parquet files as the parts of one table, in the given order. The
// error is a *workload.InputError, for example where columns differ between parts.
func OpenSourceFiles(name string, files []string, o workload.Options) (*Source, error) {
	parts := make([]partFile, len(files))
	for i, path := range files {
		parts[i].path = path
	}
	return openSourceParts(name, parts, o)
}

func openSourceParts(name string, files []partFile, o workload.Options) (*Source, error) {
	parts := make([]sourcePart, len(files))
	for i, file := range files {
		parts[i] = sourcePart{
			open:       func() (*parquetReader, func() error, error) { return openPart(file.path, o) },
			partitions: file.partitions,
		}
	}
	return openSource(name, parts, o)
}

func openSource(name string, parts []sourcePart, o workload.Options) (*Source, error) {
	zone, err := o.Zone()
	if err != nil {
		return nil, err
	}
	s := &Source{name: name, parts: parts, workers: par.Workers(o.Workers), zone: zone, placed: o.TimeZone != ""}
	for _, part := range parts {
		if err := s.look(part); err != nil {
			return nil, err
		}
	}
	s.addPartitions()
	return s, nil
}

// look adds a part's columns and counts to the source.
func (s *Source) look(part sourcePart) (err error) {
	defer catch(s.name, &err)
	p, done, err := part.open()
	if err != nil {
		return err
	}
	defer done()
	if err := p.checkRows(); err != nil {
		return err
	}
	columns := p.sourceColumns(part.partitions)
	s.rows += p.meta.NumRows
	if s.first == "" {
		s.first, s.columns = p.name, columns
		p.warnPartitions(part.partitions, &s.warnings)
		return nil
	}
	return s.join(p, part.partitions, columns)
}

// sourceColumns returns the columns of a file, without those that its path gives. A list or
// structure is one column.
func (p *parquetReader) sourceColumns(partitions []partition) (columns []sourceColumn) {
	schema := p.meta.Schema
	for at := range schema.NumColumns() {
		c := schema.Column(at)
		t := typeOf(c)
		f := workload.FileColumn{Name: c.Path(), Kind: t.kind, Type: t.words, Nested: t.unread != ""}
		if t.nested {
			f.Name, _, _ = strings.Cut(f.Name, ".")
			f.Type = t.unread
			if n := len(columns); n > 0 && columns[n-1].Name == f.Name {
				continue
			}
		}
		if !slices.ContainsFunc(partitions, func(p partition) bool { return strings.EqualFold(p.name, f.Name) }) {
			columns = append(columns, sourceColumn{f, p.known(at), t.null})
		}
	}
	return columns
}

// Columns returns the table's columns in the order of the first file, then those of the
// partitions.
func (s *Source) Columns() []workload.FileColumn {
	columns := make([]workload.FileColumn, len(s.columns))
	for i, c := range s.columns {
		columns[i] = c.FileColumn
	}
	return columns
}

// Warnings returns the warnings about the rows read so far.
func (s *Source) Warnings() *workload.Warnings { return &s.warnings }

// LeftOut adds a warning to w for each column that has values but is not used, with the
// number of its values.
func (s *Source) LeftOut(used func(column string) bool, w *workload.Warnings) {
	for _, c := range s.columns {
		if !used(c.Name) {
			leftOut(c.Name, c.values, w)
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
		batches := func(yield func(*sourceBatch, error) bool) { s.read(columns, yield) }
		if s.workers > 1 {
			// One batch is decoded while another is used.
			same := func(b *sourceBatch) (*sourceBatch, error) { return b, nil }
			batches = par.Map(1, batches, same, nil)
		}
		for b, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range b.warnings {
				s.warnings.Merge(&b.warnings[i])
			}
			if !yield(&b.rows, nil) {
				return
			}
			s.used.Put(b)
		}
	}
}

// sourceBatch is some rows, with what was odd in each column.
type sourceBatch struct {
	rows     workload.TableRows
	warnings []workload.Warnings
}

// batch returns an empty batch for the next n rows.
func (s *Source) batch(t *sourceReader, n int) *sourceBatch {
	b, _ := s.used.Get().(*sourceBatch)
	if b == nil || len(b.warnings) != len(t.fields) {
		b = &sourceBatch{rows: workload.TableRows{Columns: make([]workload.TableValues, len(t.fields))}}
	}
	b.warnings = make([]workload.Warnings, len(t.fields))
	b.rows.File, b.rows.Rows, b.rows.Row = t.name, n, t.row
	for i := range t.fields {
		if t.fields[i].at < 0 {
			b.rows.Columns[i] = workload.TableValues{}
		}
	}
	return b
}

func (s *Source) read(columns []workload.TableColumn, yield func(*sourceBatch, error) bool) {
	for _, part := range s.parts {
		if err := s.readPart(part, columns, yield); err != nil {
			if err != errStop {
				yield(nil, err)
			}
			return
		}
	}
}

// ReadTable yields the given columns of a Parquet file of size bytes that does not hold
// jobs, a batch of rows at a time. Errors are *workload.InputError.
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
