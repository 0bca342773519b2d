package mapping

import (
	"bufio"
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// lineTable reads a table in the form that a mapping's Lines describe.
type lineTable struct {
	file     string
	lines    *parse.Lines
	mapping  *Mapping
	workers  int
	before   int64 // lines of comments before the rows
	warnings workload.Warnings
}

// lineSource opens a table of lines and reads the comments before the rows.
func lineSource(name string, r *bufio.Reader, m *Mapping, o workload.Options) (*source, error) {
	t := &lineTable{file: name, mapping: m, workers: par.Workers(o.Workers)}
	t.lines = parse.NewLines(name, r, parse.ChunkSize, 2*t.workers+2)
	if m.Records {
		t.lines.Cut = recordsEnd
	}
	s := &source{name: name, read: t.read, namesColumns: true, warnings: &t.warnings}
	var err error
	if s.header.Lines, t.before, err = t.lines.Header(parse.Begins("#;")); err != nil {
		return nil, err
	}
	for i, line := range s.header.Lines {
		if version, ok := strings.CutPrefix(strings.TrimSpace(line), "Version:"); ok { // the version of that format, not SWF's
			s.header.Lines[i] = " Note: version" + version + " of the " + m.Name + " log"
		}
	}
	for _, f := range m.layout {
		s.columns = append(s.columns, workload.FileColumn{Name: f.name, Kind: workload.TableText})
	}
	if m.Pairs != "" || m.Records {
		s.columns = s.columns[:max(len(s.columns)-1, 0)]
		for _, name := range m.names() {
			if !slices.ContainsFunc(s.columns, func(c workload.FileColumn) bool { return c.Name == name }) {
				s.columns = append(s.columns, workload.FileColumn{Name: name, Kind: workload.TableText})
			}
		}
	}
	return s, nil
}

// names returns the names of all columns that the mapping may read.
func (m *Mapping) names() (names []string) {
	for t := range targets {
		for _, e := range m.entries[t] {
			names = append(names, e.Column...)
			for _, s := range e.steps() {
				names = append(names, s.name)
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { _, isTarget := findTarget(name); return isTarget })
}

// lineDecoder decodes chunks of a table of lines.
type lineDecoder struct {
	*lineTable
	places map[string]int // the index in a row of each column that is used, by name
	at     []int          // index in a row of each field of the layout, or -1
}

func (t *lineTable) read(columns []workload.TableColumn) workload.Table {
	d := &lineDecoder{lineTable: t, places: map[string]int{}}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	l := &t.mapping.Lines
	for _, r := range slices.Concat(l.rules, l.parts) { // their columns follow the others
		names = append(names, r.column)
	}
	for _, name := range slices.Concat(names, l.Job, slices.Sorted(maps.Keys(l.Gather))) {
		if _, ok := d.places[name]; !ok {
			d.places[name] = len(d.places)
		}
	}
	for _, f := range l.layout {
		at, ok := d.places[f.name]
		if !ok {
			at = -1
		}
		d.at = append(d.at, at)
	}
	rows := delimited.Decode(t.workers, t.before, t.lines.Chunks, d.decode, &t.warnings)
	if l.Job != nil {
		rows = d.join(rows, len(columns))
	}
	return rows
}

// decode reads the rows of a chunk, with all columns in places.
func (d *lineDecoder) decode(chunk []byte) (*delimited.Rows, error) {
	if err := parse.CheckBinary(d.file, chunk); err != nil {
		return nil, err
	}
	text := string(chunk)
	d.lines.Recycle(chunk)
	m, room := d.mapping, strings.Count(text, "\n")
	if m.Records {
		room = 0
	}
	rows := delimited.NewRows(d.file, len(d.places), min(room, 1+len(text)/(2*len(d.places)+1)), 0)
	row := make([]string, len(d.places))
	set := func(name, value string) {
		if i, ok := d.places[name]; ok {
			row[i] = value
		}
	}
	var fields []string
	begun := int64(0) // first line of the record, 0 between records
	for line := range strings.Lines(text) {
		rows.Length++
		line = strings.TrimRight(line, "\r\n")
		if m.Records {
			name, value, isPair := strings.Cut(line, " = ")
			switch ends := strings.HasPrefix(line, "***") || strings.TrimSpace(line) == ""; {
			case ends && begun > 0:
				d.add(rows, begun, row)
				begun = 0
				clear(row)
			case ends:
			case !isPair:
				return nil, &workload.InputError{File: d.file, Line: rows.Length, Saw: parse.ShortenLine([]byte(strings.TrimSpace(line))), Want: "name = value, or the end of the record: a blank line or one of ***"}
			default:
				if value = strings.TrimSpace(value); len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
					value = value[1 : len(value)-1]
				}
				set(strings.TrimSpace(name), value)
				if begun == 0 {
					begun = rows.Length
				}
			}
			continue
		}
		if isComment(line) {
			continue
		}
		clear(row)
		var all bool
		fields, all = m.split(line, fields)
		for i, field := range fields {
			if d.at[i] >= 0 {
				row[d.at[i]] = field
			}
			if m.layout[i].name == m.Pairs {
				eachPair(field, set)
			}
		}
		if isRow := d.add(rows, rows.Length, row); isRow && !all {
			return nil, m.tooFew(d.file, rows.Length, line)
		}
	}
	if begun > 0 {
		d.add(rows, begun, row)
	}
	return rows, nil
}

// add adds the row of a line, unless the mapping leaves it out, and reports whether it is a row. A
// part of a job is added too, but is not a row.
func (d *lineDecoder) add(rows *delimited.Rows, line int64, row []string) (isRow bool) {
	for _, r := range d.mapping.rules {
		value := row[d.places[r.column]]
		if r.pattern.MatchString(value) != r.leaves {
			continue
		}
		rows.Warnings.Add("left-out-rows", "records left out, which are not separate, whole jobs", line, r.column+" "+workload.Shorten([]byte(value)))
		if d.mapping.Job != nil && d.mapping.isPart(func(column string) string { return row[d.places[column]] }) {
			rows.Add(line, row)
		}
		return false
	}
	rows.Add(line, row)
	return true
}

// tooFew returns the error for a line that does not have the fields of the mapping.
func (m *Mapping) tooFew(file string, line int64, text string) error {
	e := &workload.InputError{File: file, Line: line, Saw: "a quote that is not closed", Want: "a closing quote"}
	if fields, closed := m.cut(nil, text, m.Separator[len(m.Separator)-1]); closed {
		e.Saw = words.Counted(len(fields), "field")
		e.Want = "the fields of the mapping " + m.Name + ": " + parse.QuoteNames(m.Fields)
	}
	e.Saw += " in " + parse.ShortenLine([]byte(text))
	return e
}

// recordsEnd returns the end of the last complete record: one that a blank line or a line of ***
// follows.
func recordsEnd(text []byte) (end int) {
	for _, mark := range []string{"\n\n", "\n\r\n", "\n***"} {
		end = max(end, bytes.LastIndex(text, []byte(mark))+1)
	}
	return end
}
