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
		s, err := OpenSource(name, r, size, o)
		if err != nil {
			return nil, err
		}
		return s.jobs()
	},
	OpenFolder: func(name, path string, o workload.Options) (*workload.Log, error) {
		s, err := OpenSourceFolder(name, path, o)
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
	from.Warnings.Merge(s.warnings)
	s.warnings = &from.Warnings
	names := make([]string, len(s.columns))
	for i, c := range s.columns {
		names[i] = c.Name
	}
	index, err := matchColumns(s.parts[0].name, names, s.warnings)
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
		if saw := in.accepts(column.Kind); saw != "" {
			return nil, &workload.InputError{File: s.parts[0].name, Field: c.Name, Saw: saw, Want: wantOf(c)}
		}
		if in.Kind == workload.TableTime {
			s.warnings.Add("converted-column", timesConverted, 0, c.Name)
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
			jobs := &workload.Batch{Rows: b.rows.Rows}
			for i, at := range places {
				jobs.Floats[at], jobs.Ints[at] = b.rows.Columns[i].Number, b.rows.Columns[i].Whole
			}
			if !yield(jobs, nil) {
				return
			}
		}
	}
	return log, nil
}

// timesConverted is a warning about a column of times in the job table.
const timesConverted = "columns converted to seconds since 1970"

// wantOf describes the values of a column, for a message.
func wantOf(c *workload.Column) string {
	if c.Float() {
		return "a number"
	}
	return "a whole number"
}
