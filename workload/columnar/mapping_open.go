package columnar

import (
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// OpenMapped opens a Parquet file of size bytes by the mapping that find has
// for it; where it has none the log is nil.
func OpenMapped(name string, r io.ReaderAt, size int64, find FindMapping, o workload.Options) (log *workload.Log, err error) {
	defer catch(name, &err)
	p, err := newParquetReader(name, r, size, o)
	if err != nil {
		return nil, err
	}
	layout, err := p.mapping(find)
	if layout == nil || err != nil {
		return nil, err
	}
	// The caller's file stays open: a part of its own may be read twice.
	return openParts(name, layout, []sourcePart{{open: func() (*parquetReader, func() error, error) {
		q := *p
		return &q, func() error { return nil }, nil
	}}}, o)
}

// OpenMappedFiles opens files that are parts of one table.
func OpenMappedFiles(name string, layout *Mapping, files []string, find FindMapping, o workload.Options) (*workload.Log, error) {
	parts := make([]sourcePart, len(files))
	for i, path := range files {
		parts[i].open = func() (*parquetReader, func() error, error) {
			p, done, err := openPart(path, o)
			if err != nil {
				return nil, nil, err
			}
			found, err := p.mapping(find)
			if err == nil && found != layout {
				err = &workload.InputError{File: path, Field: "columns", Saw: parse.ListNames(p.columnNames()), Want: "those of " + layout.Title}
			}
			if err != nil {
				done()
				return nil, nil, err
			}
			return p, done, nil
		}
	}
	return openParts(name, layout, parts, o)
}
