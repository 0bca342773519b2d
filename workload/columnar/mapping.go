package columnar

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	pqschema "github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Mapping says how the Parquet tables of another program become ours.
type Mapping struct {
	Format string // of Log.Format
	Title  string // for messages
	// Columns by name: several names may stand for one column, of which the
	// first that a file has is read.
	Columns []MappedColumn
	// UnixTimes says that submissions are counted from 1970.
	UnixTimes bool
}

// MappedColumn is a column of another program's table. -1 is unknown
// everywhere.
type MappedColumn struct {
	Name   string
	Column int     // of the job table, or End
	Unit   float64 // how many of the file's units make one of the table's
	Whole  bool    // a value for the whole job, where the table's is per processor
}

// End stands for a column that the table has not: the time at which the
// job ended, from which the run time comes.
const End = workload.NumColumns

// PerMilli is the unit of times in milliseconds, which may be timestamps.
const PerMilli = 1000

// mappedFile is one Parquet file of a trace, opened.
type mappedFile struct {
	*parquetReader
	fields []mappedField
	close  func() error
}

// mappedField is a column of such a file that becomes one of ours.
type mappedField struct {
	MappedColumn
	at     int // column of the file
	stored columnType
}

// text says that the column holds texts.
func (f *mappedField) text() bool {
	return f.stored.kind == workload.TableText && f.stored.unread == ""
}

// newMappedFile finds the columns of a file whose footer has been read. Those
// that have no place in the job table are counted, with their values, in w.
func newMappedFile(p *parquetReader, layout *Mapping, w *workload.Warnings) (*mappedFile, error) {
	t := &mappedFile{parquetReader: p}
	s := p.meta.Schema
	places := map[string]int{}
	for at := range s.NumColumns() {
		name := s.Column(at).Path()
		if _, ok := places[name]; ok {
			return nil, p.fault(name, "two columns of that name", "one", nil)
		}
		places[name] = at
	}
	var (
		taken [workload.NumColumns + 1]bool
		used  = make([]bool, s.NumColumns())
	)
	for _, c := range layout.Columns {
		at, ok := places[c.Name]
		// The end is no more than another way to give the run time.
		if !ok || taken[c.Column] || c.Column == End && taken[workload.ColRunTime] {
			continue
		}
		f, err := newMappedField(s.Column(at), c)
		if err != nil {
			return nil, p.fault(c.Name, err.Error(), f.words(), nil)
		}
		f.at = at
		t.fields = append(t.fields, f)
		taken[c.Column], used[at] = true, true
	}
	for at := range used {
		if !used[at] {
			leftOut(s.Column(at).Path(), p.known(at), w)
		}
	}
	return t, t.checkTraceCounts()
}

func newMappedField(c *pqschema.Column, tc MappedColumn) (mappedField, error) {
	f := mappedField{MappedColumn: tc, stored: typeOf(c)}
	switch saw := f.stored.noNumber(); {
	case f.text() && (tc.Column == workload.ColJobID || workload.NameKey(tc.Column) != ""):
	case saw != "":
		return f, errors.New(saw)
	case f.stored.kind == workload.TableTime:
		if tc.Unit != PerMilli || f.stored.number.days {
			return f, errors.New(f.stored.words + " values")
		}
		f.Unit, f.stored.number.perUnit = f.stored.number.perUnit, 0
	}
	return f, nil
}

// words says what the column should hold.
func (f *mappedField) words() string {
	if f.Column == End || workload.ColumnAt(f.Column).Float() {
		return "numbers"
	}
	if workload.NameKey(f.Column) != "" || f.Column == workload.ColJobID {
		return "whole numbers or texts"
	}
	return "whole numbers"
}

// known counts the values of a column by the footer. Where the footer's
// statistics say that every value is the same -1, or an empty text or list, it is
// 0.
func (p *parquetReader) known(at int) (n int64) {
	empty := true
	for _, g := range p.meta.RowGroups {
		if at >= len(g.Columns) || g.Columns[at].MetaData == nil {
			continue
		}
		m := g.Columns[at].MetaData
		values := m.NumValues
		if s := m.Statistics; s != nil {
			if s.NullCount != nil {
				values -= *s.NullCount
			}
			low, high := s.MinValue, s.MaxValue
			if low == nil && high == nil {
				low, high = s.Min, s.Max
			}
			if low == nil || string(low) != string(high) || !slices.Contains(emptyValues[:], string(low)) {
				empty = empty && values <= 0
			}
		} else {
			empty = false
		}
		n += max(values, 0)
	}
	if empty {
		return 0
	}
	return n
}

// leftOut counts n values of a column that the job table has no place for.
func leftOut(name string, n int64, w *workload.Warnings) {
	if n == 0 {
		return
	}
	// A list's values are below "list" and "item" or "element".
	name, _, _ = strings.Cut(name, ".")
	w.Count(workload.Warning{Rule: "left-out-" + strings.ToValidUTF8(name, "?"), Text: "values of a column that the job table has no place for", Count: n, Saw: name})
}

// emptyValues are what the archives' converters write where they know nothing:
// -1 as each type of number, and texts without anything in them.
var emptyValues = [...]string{
	"\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xff", // whole numbers
	"\x00\x00\x80\xbf", "\x00\x00\x00\x00\x00\x00\xf0\xbf", // -1.0
	"", " ", "{}", "[]",
}

// checkTraceCounts is checkCounts for the columns of a trace.
func (t *mappedFile) checkTraceCounts() error {
	var rows int64
	for g := range t.meta.RowGroups {
		n := t.meta.RowGroup(g).NumRows()
		if n < 0 || rows+n < rows {
			return t.fault("footer", fmt.Sprintf("%d rows in row group %d", n, g+1), "a count", nil)
		}
		rows += n
		for i := range t.fields {
			if _, err := t.chunkOf(g, &t.fields[i]); err != nil {
				return err
			}
		}
	}
	if rows != t.meta.NumRows {
		return t.fault("footer", fmt.Sprintf("%d rows in row groups and %d in all", rows, t.meta.NumRows), "the same", nil)
	}
	return nil
}

// chunkOf returns a field's column of a row group.
func (t *mappedFile) chunkOf(g int, f *mappedField) (chunk, error) {
	return t.chunk(g, f.at, f.Name, &f.stored)
}

// FindMapping returns the mapping of a Parquet file with those columns, or nil
// where it knows none; the error is for a file that is known and holds no jobs.
type FindMapping func(file string, columns []string) (*Mapping, error)

// mapping returns the mapping of the file, or nil. A file of this package says
// so itself.
func (p *parquetReader) mapping(find FindMapping) (*Mapping, error) {
	if pairs := p.meta.KeyValueMetadata(); pairs.FindValue(keySchema) != nil {
		return nil, nil
	}
	return find(p.name, p.columnNames())
}

// columnNames are the paths of the file's columns.
func (p *parquetReader) columnNames() []string {
	names := make([]string, p.meta.Schema.NumColumns())
	for i := range names {
		names[i] = p.meta.Schema.Column(i).Path()
	}
	return names
}
