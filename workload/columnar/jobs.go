package columnar

import (
	"io"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
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

// jobs makes a log of a table of jobs.
func (s *Source) jobs() (*workload.Log, error) {
	header, err := s.Header()
	if err != nil {
		return nil, err
	}
	log, _, err := jobsOf(s.parts[0].name, "parquet", s.columns, s.Read)
	if err != nil {
		return nil, err
	}
	log.Name, log.Header = s.name, header
	return log, nil
}

// jobsOf makes a log of a table with the given columns; readColumns reads those that it asks for.
// Columns are found by name. Missing columns are unknown and other columns are ignored, each with
// a warning; numbers of other types are converted.
func jobsOf(name, format string, columns []sourceColumn, readColumns func([]workload.TableColumn) workload.Table) (*workload.Log, *workload.Reading, error) {
	log, from := workload.NewLog(name, format)
	index, err := matchColumns(name, columns, &from.Warnings)
	if err != nil {
		return nil, nil, err
	}
	var wanted []workload.TableColumn
	var places []int
	for i, at := range index {
		if from.Lacks[i] = at < 0; at < 0 {
			continue
		}
		c := workload.ColumnAt(i)
		column, want := workload.TableColumn{Name: c.Name, Kind: workload.TableWhole}, "a whole number"
		if c.Float() {
			column.Kind, want = workload.TableNumber, "a number"
		}
		in := columns[at]
		if saw := in.accepts(column.Kind); saw != "" {
			return nil, nil, &workload.InputError{File: name, Field: c.Name, Saw: saw, Want: want}
		}
		if in.Kind.IsTime() {
			from.Warnings.Add("converted-column", "columns converted to seconds since 1970", 0, c.Name)
		}
		if from.Lacks[i] = in.values == 0; !from.Lacks[i] {
			wanted, places = append(wanted, column), append(places, i)
		}
	}
	from.Batches = func(yield func(*workload.Batch, error) bool) {
		for rows, err := range readColumns(wanted) {
			jobs := &workload.Batch{}
			if err == nil {
				jobs, err = batchOf(rows, places)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			for part := range jobs.Parts {
				if !yield(part, nil) {
					return
				}
			}
		}
	}
	return log, from, nil
}

// batchOf makes jobs of rows, whose columns are those of the job table at some places.
func batchOf(rows *workload.TableRows, places []int) (*workload.Batch, error) {
	jobs := &workload.Batch{Rows: rows.Rows}
	for i, at := range places {
		v := rows.Columns[i]
		if row := slices.IndexFunc(v.Number, func(x float64) bool { return math.IsInf(x, 0) }); row >= 0 {
			return nil, rows.Fault(row, workload.ColumnAt(at).Name, parse.FormatNumber(v.Number[row]), workload.WantFinite)
		}
		jobs.Floats[at], jobs.Ints[at] = v.Number, v.Whole
	}
	return jobs, nil
}
