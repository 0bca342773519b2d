package mapping

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Text is the format of texts that are read through a mapping: the one in Options.As or
// Options.MapFile, or else the built-in one that recognises the text.
var Text = workload.Format{
	Name: "mapped",
	JSON: true,
	Sniff: func(name string, r *bufio.Reader, o workload.Options) bool {
		if len(o.Map) > 0 {
			return false // Options.Map maps the columns of CSV
		}
		head, _ := r.Peek(r.Size())
		m, err := find(o)
		switch {
		case err != nil:
			return true // Open reports the fault
		case m == nil:
			return recogniseText(name, head) != nil
		case isJSON(head), m.isText():
			return true
		}
		return sniffCSV(name, r, o) && (o.MapFile != "" || !isOwn(delimited.Columns(head)))
	},
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		m, err := find(o)
		if err != nil {
			return nil, err
		}
		head, _ := r.Peek(r.Size())
		if m == nil {
			m = recogniseText(name, head)
		}
		var s *source
		switch {
		case m.Fields == nil && isJSON(head):
			s, err = jsonSource(name, r, o)
		case m.isText():
			s, err = lineSource(name, r, m, o)
		default:
			s, err = csvSource(name, r, o, 0)
		}
		if err != nil {
			return nil, err
		}
		return open(m, s, o)
	},
}

// CSV is the format of CSV tables with a header line. Columns are found by their names in the job
// table, by other common names for the same values, or by Options.Map.
var CSV = workload.Format{
	Name:       "csv",
	Extensions: []string{".csv"},
	Text:       true,
	Sniff:      sniffCSV,
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		return openCSV(name, r, o, 0)
	},
	Create: func(w io.Writer, _ workload.Header, o workload.WriteOptions) (workload.Writer, error) {
		return delimited.NewWriter(w, o.Columns), nil
	},
	HeaderLast:   true, // there is none
	HeaderLosses: func(h workload.Header) []workload.Loss { return delimited.HeaderLosses(&h) },
}

// Parquet is the format of Parquet files, and of folders of part files. Columns are found as in CSV
// or by a mapping: the one in Options.As or MapFile, or else the built-in one that recognises the
// table.
var Parquet = workload.Format{
	Name:       "parquet",
	Extensions: []string{".parquet", ".pq"},
	Magic:      columnar.MagicParquet,
	Looks:      "a Parquet file, which begins with PAR1",
	OpenAt: func(name string, r io.ReaderAt, size int64, o workload.Options) (*workload.Log, error) {
		s, err := columnar.OpenParquet(name, r, size, o.Workers)
		return openTyped("parquet", name, s, err, o)
	},
	OpenFolder: func(name, path string, o workload.Options) (*workload.Log, error) {
		s, err := columnar.OpenParquetFolder(name, path, o.Workers)
		return openTyped("parquet", name, s, err, o)
	},
	Create:     columnar.NewParquetWriter,
	HeaderLast: true,
}

// Arrow is the format of Arrow IPC files, also called Feather version 2. Columns are found as in
// Parquet.
var Arrow = workload.Format{
	Name:       "arrow",
	Extensions: []string{".arrow", ".feather", ".ipc"},
	Magic:      columnar.MagicArrowFile,
	Looks:      "an Arrow file, which begins with ARROW1",
	OpenAt: func(name string, r io.ReaderAt, size int64, o workload.Options) (*workload.Log, error) {
		s, err := columnar.OpenArrowFile(name, r, size)
		return openTyped("arrow", name, s, err, o)
	},
	Create: columnar.NewArrowFileWriter,
}

// ArrowStream is the format of Arrow IPC streams, which are read from the first byte to
// the last and need no seeking.
var ArrowStream = workload.Format{
	Name:       "arrows",
	Extensions: []string{".arrows"},
	Magic:      columnar.MagicArrowStream,
	Looks:      "an Arrow stream, which begins with four bytes of 255",
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
		s, err := columnar.OpenArrowStream(name, r)
		return openTyped("arrow", name, s, err, o)
	},
	Create: columnar.NewArrowStreamWriter,
}

func sniffCSV(name string, r *bufio.Reader, _ workload.Options) bool {
	head, _ := r.Peek(parse.Sniffed)
	return delimited.Sniff(name, head)
}

// openCSV opens a log in CSV, to be read in chunks of about chunk bytes; 0 means the default size.
// Its columns are found by Options.Map and by their names.
func openCSV(name string, r io.Reader, o workload.Options, chunk int) (*workload.Log, error) {
	s, err := csvSource(name, r, o, chunk)
	if err != nil {
		return nil, err
	}
	names := namesOf(s.columns)
	m, err := fromPairs("csv", name, names, o.Map)
	if e, ok := err.(*workload.InputError); ok && e.Err == nil {
		e.Line = 1
	}
	if err != nil {
		return nil, err
	}
	if isWritten(names) {
		m.asWritten()
	}
	return open(m, s, o)
}

// csvSource opens a table in CSV.
func csvSource(name string, r io.Reader, o workload.Options, chunk int) (*source, error) {
	t, err := delimited.Open(name, r, o.Workers, chunk)
	if err != nil {
		return nil, err
	}
	s := &source{name: name, read: t.Read, header: t.Header()}
	if fault := headerFault(&s.header); fault != "" {
		return nil, &workload.InputError{File: name, Field: fault, Saw: strconv.Quote(s.header.Get(fault)), Want: "a whole number"}
	}
	for _, c := range t.Names() {
		s.columns = append(s.columns, workload.FileColumn{Name: c, Kind: workload.TableText})
	}
	return s, nil
}

// openTyped opens a table whose columns have types. It returns err if opening the file failed, and
// nil if s is nil.
func openTyped(format, name string, s *columnar.Source, err error, o workload.Options) (*workload.Log, error) {
	if s == nil || err != nil {
		return nil, err
	}
	m, err := find(o)
	names := namesOf(s.Columns)
	hasTimes := slices.ContainsFunc(s.Columns, func(c workload.FileColumn) bool {
		return c.Kind.IsTime() && workload.ColumnIndex(strings.TrimSpace(c.Name)) >= 0
	})
	switch {
	case err != nil:
	case len(o.Map) > 0:
		m, err = fromPairs(format, name, names, o.Map)
	case m == nil || o.MapFile == "" && isOwn(names) && !hasTimes:
		if m = recognise(names, false); m == nil {
			if err = notJobs(name, names); err == nil {
				m, err = fromPairs(format, name, namesOf(slices.DeleteFunc(slices.Clone(s.Columns), isOther)), nil)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	// Moments in columns with the job table's own names are seconds since the log's start, as this
	// program writes them.
	if named := len(o.Map) == 0 && len(m.aliased) == 0 && !m.short; m.byNames && !hasTimes && (named || isWritten(names)) {
		m.asWritten()
	}
	return open(m, &source{name: name, columns: s.Columns, read: s.Read, header: s.Header, hasTypes: true}, o)
}

// isOther reports whether a column cannot be read and does not have the name of a column of the job
// table. Such columns are left out.
func isOther(c workload.FileColumn) bool { return c.Nested && workload.ColumnIndex(c.Name) < 0 }

// isOwn reports whether a table has the columns of a job table that this program wrote. Such a
// table needs no mapping: Options.As has no effect on it, while Options.MapFile has.
func isOwn(columns []string) bool {
	own := workload.ColumnNames(workload.ColumnSet(0).Written())[:workload.ColStatus] // the columns in every version
	return len(columns) >= len(own) && slices.Equal(columns[:len(own)], own)
}

func namesOf(columns []workload.FileColumn) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}
