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

// lineTable reads rows of a mapping's Lines.
type lineTable struct {
	file     string
	lines    *parse.Lines
	mapping  *Mapping
	workers  int
	before   int64 // lines of comments before the rows
	warnings workload.Warnings
}

// lineSource reads the comments before the rows.
func lineSource(name string, r *bufio.Reader, m *Mapping, o workload.Options) (*source, error) {
	t := &lineTable{file: name, mapping: m, workers: par.Workers(o.Workers)}
	t.lines = parse.NewLines(name, r, parse.ChunkSize, 2*t.workers+2)
	if m.Records {
		t.lines.Cut = recordsEnd
	}
	s := &source{name: name, read: t.read, namesColumns: true, warnings: &t.warnings}
	var err error
	if s.header.Lines, t.before, err = t.lines.Header("#;"); err != nil {
		return nil, err
	}
	for i, line := range s.header.Lines {
		if version, ok := strings.CutPrefix(strings.TrimSpace(line), "Version:"); ok { // of that format, not of SWF
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

// names are those of all columns that a mapping may read.
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

// lineDecoder reads chunks: places has the column of each field that is used.
type lineDecoder struct {
	*lineTable
	places map[string]int
	at     []int // the place of each field of the layout, -1 for none
}

func (t *lineTable) read(columns []workload.TableColumn) workload.Table {
	d := &lineDecoder{lineTable: t, places: map[string]int{}}
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	l := &t.mapping.Lines
	for _, r := range slices.Concat(l.rules, l.parts) { // whose columns are behind the others
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
	decode := func(chunk []byte) (*delimited.Rows, error) {
		text := string(chunk)
		t.lines.Recycle(chunk)
		return d.decode(text)
	}
	rows := delimited.Decode(t.workers, t.before, t.lines.Chunks, decode, &t.warnings)
	if l.Job != nil {
		rows = d.join(rows, len(columns))
	}
	return rows
}

// decode reads the rows of a chunk, of all columns that have a place.
func (d *lineDecoder) decode(text string) (*delimited.Rows, error) {
	m := d.mapping
	columns := len(d.places)
	rows := delimited.NewRows(d.file, columns, min(strings.Count(text, "\n"), 1+len(text)/(2*columns+1)), func(int) bool { return true })
	c := &delimited.Cells{Text: text}
	row := make([]workload.Span, columns)
	set := func(name string, value workload.Span) {
		if i, ok := d.places[name]; ok {
			row[i] = value
		}
	}
	add := func(line int64) {
		if why, out := d.leavesOut(c, row); out {
			rows.Warnings.Add("left-out-rows", "records left out, which are not separate, whole jobs", line, why)
			if m.Job == nil || !d.isPart(c, row) {
				return
			}
		}
		rows.Add(c, line, row)
	}
	begun := int64(0) // first line of the record, 0 between records
	binary := strings.IndexByte(text, 0)
	for pos, end := 0, 0; pos < len(text); pos = end {
		end = pos + strings.IndexByte(text[pos:], '\n') + 1
		rows.Length++
		if 0 <= binary && binary < end {
			return nil, parse.NotText(d.file, rows.Length, []byte(text[pos:end]))
		}
		if m.Records {
			equals := strings.Index(text[pos:end], " = ")
			switch ends := strings.HasPrefix(text[pos:], "***") || strings.TrimSpace(text[pos:end]) == ""; {
			case ends && begun > 0:
				add(begun)
				begun = 0
				clear(row)
			case ends:
			case equals < 0:
				return nil, &workload.InputError{File: d.file, Line: rows.Length, Saw: parse.ShortenLine([]byte(strings.TrimSpace(text[pos:end]))), Want: "name = value, or the end of the record: a blank line or one of ***"}
			default:
				set(strings.TrimSpace(text[pos:pos+equals]), valueSpan(text, pos+equals+3, end))
				if begun == 0 {
					begun = rows.Length
				}
			}
			continue
		}
		if isComment(text[pos:end]) {
			continue
		}
		clear(row)
		all := m.split(c, pos, end)
		for i, field := range c.Fields {
			if d.at[i] >= 0 {
				row[d.at[i]] = field
			}
			if m.layout[i].name == m.Pairs {
				eachPair(c, field, set)
			}
		}
		if _, out := d.leavesOut(c, row); !all && !out {
			return nil, m.tooFew(d.file, rows.Length, text[pos:end])
		}
		add(rows.Length)
	}
	if begun > 0 {
		add(begun)
	}
	rows.Finish(c)
	return rows, nil
}

// valueSpan returns what is in a part of a text without blanks and quotes around it.
func valueSpan(text string, from, to int) workload.Span {
	value := strings.TrimSpace(text[from:to])
	from += strings.Index(text[from:to], value)
	to = from + len(value)
	if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
		from, to = from+1, to-1
	}
	return workload.Span{From: uint32(from), To: uint32(to)}
}

// tooFew is the error of a line that has not the fields of the mapping.
func (m *Mapping) tooFew(file string, line int64, text string) error {
	text = strings.TrimRight(text, "\r\n")
	e := &workload.InputError{File: file, Line: line, Saw: "a quote that is not closed", Want: "a closing quote"}
	c := &delimited.Cells{Text: text}
	if m.cut(c, 0, len(text), m.Separator[len(m.Separator)-1]) {
		e.Saw = words.Counted(len(c.Fields), "field")
		e.Want = m.wantedFields() + " of the mapping " + m.Name
	}
	e.Saw += " in " + parse.ShortenLine([]byte(text))
	return e
}

// wantedFields is how many fields a line must have.
func (m *Mapping) wantedFields() string {
	names := m.layout
	if m.Least > 0 {
		names = names[:min(m.Least, len(names))]
	}
	least := 0
	for _, f := range names {
		if f.times < 0 {
			least += f.count
		}
	}
	if m.Least > 0 || m.hasLists {
		return "at least " + words.Counted(least, "field")
	}
	return words.Counted(least, "field")
}

// eachPair takes a text of pairs such as a=1 b="x y" apart.
func eachPair(c *delimited.Cells, field workload.Span, set func(name string, value workload.Span)) {
	at, to := int(field.From), int(field.To)
	for {
		equals := strings.IndexByte(c.Text[at:to], '=')
		if equals < 0 {
			return
		}
		name := c.Text[at : at+equals]
		name = name[strings.LastIndexAny(name, " \t")+1:]
		at += equals + 1
		fields := len(c.Fields)
		if at < to && c.Text[at] == '"' {
			at = min(addQuoted(c, at, to), to)
		} else {
			end := at
			for end < to && c.Text[end] != ' ' {
				end++
			}
			c.Add(at, end)
			at = end
		}
		set(name, c.Fields[fields])
		c.Fields = c.Fields[:fields]
	}
}

// leavesOut reports whether a row is left out, and by which value.
func (d *lineDecoder) leavesOut(c *delimited.Cells, row []workload.Span) (why string, out bool) {
	for _, r := range d.mapping.rules {
		if value := c.At(row[d.places[r.column]]); r.pattern.MatchString(value) == r.leaves {
			return r.column + " " + workload.Shorten([]byte(value)), true
		}
	}
	return "", false
}

// isPart reports whether a row that is left out belongs to a job.
func (d *lineDecoder) isPart(c *delimited.Cells, row []workload.Span) bool {
	return d.mapping.isPart(func(column string) string { return c.At(row[d.places[column]]) })
}

// recordsEnd returns the end of the last record that a blank line or one of *** follows.
func recordsEnd(text []byte) (end int) {
	for _, mark := range []string{"\n\n", "\n\r\n", "\n***"} {
		end = max(end, bytes.LastIndex(text, []byte(mark))+1)
	}
	return end
}
