package columnar

import (
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Source is a table written by any program: one file, or several part files with the same
// columns. Columns are read by name.
type Source struct {
	Columns []workload.FileColumn // in the order of the first file
	Header  workload.Header       // of a job table, from its metadata; else empty

	// Read yields the given columns, at most workload.DefaultBatchRows rows at a time; other
	// columns are not decoded. TableColumn.Kind is ignored: values have the kinds in Columns.
	// -1<<63 is read as unknown. The caller may keep the numbers. A table in Arrow can be read only
	// once.
	Read func([]workload.TableColumn) workload.Table
}

// parquetTable is a Source of files in Parquet.
type parquetTable struct {
	Source
	parts   []part
	workers int
}

// OpenParquet opens a Parquet file of size bytes. At most workers goroutines decode it; 0 means one
// per core. The caller closes r after the last use of the source. The error is a
// *workload.InputError.
func OpenParquet(name string, r io.ReaderAt, size int64, workers int) (*Source, error) {
	open := func() (*parquetFile, func() error, error) {
		p, err := openParquetFile(name, r, size)
		return p, func() error { return nil }, err
	}
	return openParts([]part{{name, open}}, workers)
}

func openParts(parts []part, workers int) (*Source, error) {
	t := &parquetTable{parts: parts, workers: par.Workers(workers)}
	for i := range parts {
		if err := t.look(i); err != nil {
			return nil, err
		}
	}
	t.Read = t.read
	return &t.Source, nil
}

// look reads the columns of a part. Those of the first part are the table's; those of other parts
// must match them.
func (t *parquetTable) look(i int) (err error) {
	part := t.parts[i]
	defer catch(part.name, &err)
	p, done, err := part.open()
	if err != nil {
		return err
	}
	defer done()
	h, err := readMetadata(p.name, p.value)
	if err != nil {
		return err
	}
	if i > 0 {
		return t.join(p, p.columns())
	}
	t.Columns, t.Header = p.columns(), h
	return nil
}

// columns returns the columns of a file. A list or structure is one column.
func (p *parquetFile) columns() (columns []workload.FileColumn) {
	schema := p.meta.Schema
	for at := range schema.NumColumns() {
		c := schema.Column(at)
		t := typeOf(c)
		f := workload.FileColumn{Name: c.Path(), Kind: t.kind, Type: t.unread, Nested: t.unread != "", Empty: t.unread == "" && p.isEmpty(at)}
		if t.nested {
			f.Name, _, _ = strings.Cut(f.Name, ".")
			if n := len(columns); n > 0 && columns[n-1].Name == f.Name {
				continue
			}
		}
		columns = append(columns, f)
	}
	return columns
}

// read yields the given columns of all parts.
func (t *parquetTable) read(columns []workload.TableColumn) workload.Table {
	if t.workers == 1 {
		return t.batches(columns)
	}
	// A batch is decoded while the previous one is in use.
	return par.Map(1, t.batches(columns), func(r *workload.TableRows) (*workload.TableRows, error) { return r, nil }, nil)
}
