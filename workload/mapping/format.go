package mapping

import (
	"bufio"
	"io"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
)

// Text is the format of tables in CSV and JSON that are read through a mapping: the one in
// Options.As or Options.MapFile, or else the built-in one of the published trace that has
// exactly these columns.
var Text = workload.Format{
	Name: "mapped",
	JSON: true,
	Sniff: func(name string, r *bufio.Reader, o workload.Options) bool {
		if len(o.Map) > 0 {
			return false // it names the columns itself
		}
		head, _ := r.Peek(r.Size())
		if m, err := find(o); err != nil || m != nil && m.Fields != nil && !isJSON(head) {
			return err != nil || m.firstFits(head) // Open reports the fault
		}
		if o.As != "" || o.MapFile != "" {
			return isJSON(head) || noObjects(head) || sniffCSV(name, r, o) && (o.MapFile != "" || !own(delimited.Columns(head)))
		}
		return recogniseText(head) != nil
	},
	Open: openText,
}

// Table is the format of Parquet tables, a file or a folder of part files, that are read
// through a mapping: by Options.As, MapFile or Map, or else by the built-in mapping whose
// published table has such columns (Mapping.Among).
var Table = workload.Format{
	Name:       "mapped",
	Magic:      columnar.MagicParquet,
	OpenAt:     openParquet,
	OpenFolder: openFolder,
}

// recogniseText returns the mapping of the source whose columns a text has, or nil.
func recogniseText(head []byte) *Mapping {
	if !isJSON(head) {
		if m := recognise(delimited.Columns(head), true); m != nil {
			return m
		}
		for _, m := range builtIn() {
			if m.Fields != nil && m.fits(head) {
				return m
			}
		}
		return nil
	}
	columns, _ := jsonColumns(head)
	return recognise(namesOf(columns), false)
}

func openText(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) {
	m, err := find(o)
	if err != nil {
		return nil, err
	}
	head, _ := r.Peek(r.Size())
	if m == nil {
		m = recogniseText(head)
	}
	if isJSON(head) || noObjects(head) {
		s, err := jsonSource(name, r, m, o)
		if err != nil {
			return nil, err
		}
		return open(m, s, o)
	}
	if m.Fields != nil {
		return open(m, lineSource(name, r, m, o), o)
	}
	s, err := csvSource(name, r, o, 0)
	if err != nil {
		return nil, err
	}
	return open(m, s, o)
}

// csvSource is a table of separated values, read in pieces of some bytes; 0 for the
// usual size.
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

func openParquet(name string, r io.ReaderAt, size int64, o workload.Options) (*workload.Log, error) {
	return openSource(name, o, func(o workload.Options) (*columnar.Source, error) { return columnar.OpenSource(name, r, size, o) })
}

func openFolder(name, path string, o workload.Options) (*workload.Log, error) {
	return openSource(name, o, func(o workload.Options) (*columnar.Source, error) {
		if s, err := openTrace(name, path, o); s != nil || err != nil {
			return s, err
		}
		return columnar.OpenSourceFolder(name, path, o)
	})
}

// openSource opens Parquet; the log is nil where there is no mapping for it.
func openSource(name string, o workload.Options, again func(workload.Options) (*columnar.Source, error)) (*workload.Log, error) {
	m, err := find(o)
	if err != nil {
		return nil, err
	}
	s, err := again(o)
	if s == nil || err != nil {
		return nil, err
	}
	names := namesOf(s.Columns())
	switch {
	case len(o.Map) > 0:
		m, err = fromPairs("table", name, names, o.Map)
	case o.MapFile == "" && own(names):
		return nil, nil
	case m == nil:
		if m, err = published(name, names); m == nil && err == nil {
			m, err = byAliases(name, names)
		}
	}
	if m == nil || err != nil {
		return nil, err
	}
	if o.TimeZone == "" && m.Zone != "" { // which local times in it have
		o.TimeZone = m.Zone
		if s, err = again(o); err != nil {
			return nil, err
		}
	}
	return open(m, &source{name: name, columns: s.Columns(), read: s.Read, again: true, leftOut: s.LeftOut, warnings: s.Warnings()}, o)
}

func namesOf(columns []workload.FileColumn) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}
