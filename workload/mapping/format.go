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
			return false // it names the columns itself
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

// CSV is the format of CSV tables with a header line. Columns are found by the names of the
// job table, by common other names for the same values, or by Options.Map.
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

// Table is the format of Parquet tables, a file or a folder of part files, that are read
// through a mapping: by Options.As, MapFile or Map, or else by the built-in mapping that
// recognises the table.
var Table = workload.Format{
	Name:  "mapped",
	Magic: columnar.MagicParquet,
	OpenAt: func(name string, r io.ReaderAt, size int64, o workload.Options) (*workload.Log, error) {
		return openParquet(name, o, func() (*columnar.Source, error) { return columnar.OpenSource(name, r, size, o.Workers) })
	},
	OpenFolder: func(name, path string, o workload.Options) (*workload.Log, error) {
		return openParquet(name, o, func() (*columnar.Source, error) { return columnar.OpenSourceFolder(name, path, o.Workers) })
	},
}

func sniffCSV(name string, r *bufio.Reader, _ workload.Options) bool {
	head, _ := r.Peek(parse.Sniffed)
	return delimited.Sniff(name, head)
}

// openCSV opens a log in CSV, in pieces of some bytes; 0 for the usual size. Its columns are
// found by Options.Map and by their names.
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

// csvSource is a table of separated values.
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

// openParquet opens Parquet; the log is nil where there is no mapping for it.
func openParquet(name string, o workload.Options, openSource func() (*columnar.Source, error)) (*workload.Log, error) {
	m, err := find(o)
	if err != nil {
		return nil, err
	}
	s, err := openSource()
	if s == nil || err != nil {
		return nil, err
	}
	names := namesOf(s.Columns())
	hasTimes := slices.ContainsFunc(s.Columns(), func(c workload.FileColumn) bool {
		return c.Kind.IsTime() && workload.ColumnIndex(strings.TrimSpace(c.Name)) >= 0
	})
	switch {
	case len(o.Map) > 0:
		m, err = fromPairs("table", name, names, o.Map)
	case o.MapFile == "" && isOwn(names) && !hasTimes:
		return nil, nil
	case m == nil:
		if m = recognise(names, false); m == nil {
			if err = notJobs(name, names); err == nil {
				if m, err = fromPairs("table", name, names, nil); err != nil || len(m.aliased) == 0 && !m.short && !hasTimes {
					return nil, nil // the reader of job tables reports the fault
				}
			}
		}
	}
	if err != nil {
		return nil, err
	}
	header, err := s.Header()
	if err != nil {
		return nil, err
	}
	if m.byNames && !hasTimes && isWritten(names) {
		m.asWritten()
	}
	return open(m, &source{name: name, columns: s.Columns(), read: s.Read, header: header, again: true}, o)
}

// isOwn reports that a table has the columns of a job table that this program wrote, which
// needs no mapping: a published source's has no effect, one of the user's has.
func isOwn(columns []string) bool {
	own := workload.ColumnNames(workload.ColumnSet(0).Written())[:workload.ColStatus] // that every version has
	return len(columns) >= len(own) && slices.Equal(columns[:len(own)], own)
}

func namesOf(columns []workload.FileColumn) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}
