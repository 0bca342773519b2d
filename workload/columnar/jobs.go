package columnar

import (
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Parquet is the format of Parquet files, and folders of part files, that hold the job
// table or some of its columns.
var Parquet = workload.Format{
	Name:       "parquet",
	Extensions: []string{".parquet", ".pq"},
	Magic:      MagicParquet,
	Looks:      "a Parquet file, which begins with PAR1",
	OpenAt: func(name string, r io.ReaderAt, size int64, o workload.Options) (*workload.Log, error) {
		s, err := OpenSource(name, r, size, o.Workers)
		if err != nil {
			return nil, err
		}
		return s.jobs()
	},
	OpenFolder: func(name, path string, o workload.Options) (*workload.Log, error) {
		s, err := OpenSourceFolder(name, path, o.Workers)
		if s == nil || err != nil {
			return nil, err
		}
		return s.jobs()
	},
	Create: func(w io.Writer, h workload.Header, o workload.WriteOptions) (workload.Writer, error) {
		return newParquetWriter(w, h, o.Columns, o.Workers)
	},
	HeaderLast: true,
}

// jobs makes a log of a table of jobs. Columns are found by name. Missing
// columns are unknown and other columns are ignored, each with a warning; numbers of other
// types are converted. The header is that of the first part.
func (s *Source) jobs() (*workload.Log, error) {
	if s.headerFault != nil {
		return nil, s.headerFault
	}
	log, from := workload.NewLog(s.name, "parquet")
	log.Header = s.header
	names := make([]string, len(s.columns))
	for i, c := range s.columns {
		names[i] = c.Name
	}
	index, err := matchColumns(s.parts[0].name, names, &from.Warnings)
	if err != nil {
		return nil, err
	}
	var columns []workload.TableColumn
	var places []int
	for i, at := range index {
		if from.Lacks[i] = at < 0; at < 0 {
			continue
		}
		c := workload.ColumnAt(i)
		column := workload.TableColumn{Name: c.Name, Kind: workload.TableWhole}
		if c.Float() {
			column.Kind = workload.TableNumber
		}
		in := s.columns[at]
		saw := in.accepts(column.Kind)
		if in.Kind.IsTime() { // package mapping makes seconds from the log's start of them
			saw = in.what()
		}
		if saw != "" {
			return nil, &workload.InputError{File: s.parts[0].name, Field: c.Name, Saw: saw, Want: wantOf(c)}
		}
		if from.Lacks[i] = in.values == 0; !from.Lacks[i] {
			columns, places = append(columns, column), append(places, i)
		}
	}
	from.Batches = func(yield func(*workload.Batch, error) bool) {
		for b, err := range s.ahead(s.batches(columns, true)) {
			if err != nil {
				yield(nil, err)
				return
			}
			jobs := &workload.Batch{Rows: b.Rows}
			for i, at := range places {
				jobs.Floats[at], jobs.Ints[at] = b.Columns[i].Number, b.Columns[i].Whole
			}
			if !yield(jobs, nil) {
				return
			}
		}
	}
	return log, nil
}

// wantOf describes the values of a column, for a message.
func wantOf(c *workload.Column) string {
	if c.Float() {
		return "a number"
	}
	return "a whole number"
}
