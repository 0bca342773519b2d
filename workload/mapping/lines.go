package mapping

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Lines are the keys of a mapping for a text without a line of names: one row a line, with
// blanks or a separator between its fields, or records of lines such as "name = value". Lines
// that begin with ; or # are comments; those before the first row are the log's header.
type Lines struct {
	// Fields names the columns in order. "hosts[n]" is a list of as many fields as field n says,
	// "usage[17]" and "pairs[2*n]" of 17 and of twice as many, with blanks between them.
	// "other[0*n]" is a list of unknown length unless n is 0: then the fields after it are unknown.
	Fields    []string `opt:"fields"`
	Separator []string `opt:"separator" repeat:"true"` // the first that gives enough fields; "" means blanks
	Quotes    bool     `opt:"quotes"`                  // fields may be in quotes, with quotes in them doubled
	Least     int      `opt:"least" in:"[1,)"`         // fields that a line has, if not all; more than the names are ignored
	Pairs     string   `opt:"pairs"`                   // the last field, which has further columns: "name=value" with blanks between
	Records   bool     `opt:"records"`                 // a row is some lines of "name = value", up to a blank line or one of ***
	// Only and Except have regular expressions by column: rows that do not match one of Only,
	// or match one of Except, are left out and counted.
	Only   map[string]string `opt:"only"`
	Except map[string]string `opt:"except"`
	Jobs

	layout   []lineField
	hasLists bool
	rules    []rowRule
	parts    []rowRule
}

// lineField is one of Lines.Fields.
type lineField struct {
	name  string
	count int // of its fields
	times int // the field whose value multiplies count, -1 for none
}

// rowRule is a regular expression for a column.
type rowRule struct {
	column  string
	pattern *regexp.Regexp
	leaves  bool // the rows that match
}

// listField finds the length of a list in the name of a field.
var listField = regexp.MustCompile(`^(.+)\[(?:(\d+)\*)?(\w+)\]$`)

// compile completes the keys. The error is of the value at path.
func (l *Lines) compile() (path string, err *workload.OptionError) {
	var names []string
	for i, name := range l.Fields {
		f := lineField{name: name, count: 1, times: -1}
		if parts := listField.FindStringSubmatch(name); parts != nil {
			f.name, l.hasLists = parts[1], true
			if n, err := strconv.Atoi(parts[3]); err == nil {
				f.count = n
			} else if f.times = slices.Index(names, parts[3]); f.times < 0 {
				return fmt.Sprintf("fields[%d]", i), &workload.OptionError{Saw: strconv.Quote(name), Want: "the name of a field before it in brackets"}
			}
			if n, err := strconv.Atoi(parts[2]); err == nil {
				f.count = n
			}
		}
		l.layout, names = append(l.layout, f), append(names, f.name)
	}
	if l.Separator == nil {
		l.Separator = []string{""}
	}
	for _, x := range []struct {
		key    string
		texts  map[string]string
		leaves bool
		rules  *[]rowRule
	}{{"only", l.Only, false, &l.rules}, {"except", l.Except, true, &l.rules}, {"parts", l.Parts, true, &l.parts}} {
		for _, column := range slices.Sorted(maps.Keys(x.texts)) {
			r, err := regexp.Compile(x.texts[column])
			if err != nil {
				return x.key + "." + column, &workload.OptionError{Saw: strconv.Quote(x.texts[column]), Want: "a regular expression (" + err.Error() + ")"}
			}
			*x.rules = append(*x.rules, rowRule{column, r, x.leaves})
		}
	}
	return l.Jobs.check()
}

// isText reports whether the mapping is of texts without a line of names.
func (l *Lines) isText() bool { return l.Fields != nil || l.Records }

// firstLine returns the first line of a text that is no comment.
func firstLine(head []byte) []byte {
	for line := range bytes.Lines(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))) {
		if line = bytes.TrimRight(line, "\r\n"); !isComment(string(line)) {
			return line
		}
	}
	return nil
}

// isComment reports whether a line has no row.
func isComment(line string) bool {
	for i := range len(line) {
		switch line[i] {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return line[i] == ';' || line[i] == '#'
	}
	return true
}

// split takes a line, a part of the cells' text, apart into fields by their place in the layout,
// and reports whether it has all that a line must have. Of several separators the first that
// gives exactly the names is taken, else the last one.
func (l *Lines) split(c *delimited.Cells, from, to int) (all bool) {
	for to > from && (c.Text[to-1] == '\n' || c.Text[to-1] == '\r') {
		to--
	}
	for _, separator := range l.Separator {
		c.Fields = c.Fields[:0]
		l.cut(c, from, to, separator)
		rest := l.gather(c)
		if len(c.Fields) == len(l.layout) && (len(rest) == 0 || len(rest) == 1 && rest[0].From == rest[0].To) {
			return true
		}
		all = l.Least > 0 && len(c.Fields) >= l.Least
	}
	return all
}

// cut adds the fields of a line.
func (l *Lines) cut(c *delimited.Cells, from, to int, separator string) {
	if l.Pairs != "" { // the last field may have separators
		for range len(l.Fields) - 1 {
			at := strings.Index(c.Text[from:to], separator)
			if at < 0 {
				break
			}
			c.Add(from, from+at)
			from += at + len(separator)
		}
		c.Add(from, to)
		return
	}
	if separator != "" {
		c.Split(from, to, separator)
		return
	}
	for {
		for from < to && (c.Text[from] == ' ' || c.Text[from] == '\t') {
			from++
		}
		switch {
		case from == to:
			return
		case l.Quotes && c.Text[from] == '"':
			from = addQuoted(c, from, to)
		default:
			end := from
			for end < to && c.Text[end] != ' ' && c.Text[end] != '\t' {
				end++
			}
			c.Add(from, end)
			from = end
		}
	}
}

// addQuoted adds the text in quotes that begins there, and returns its end.
func addQuoted(c *delimited.Cells, from, to int) (end int) {
	doubled := false
	for end = from + 1; end < to; end++ {
		if c.Text[end] != '"' {
			continue
		}
		if end+1 >= to || c.Text[end+1] != '"' {
			break
		}
		doubled = true
		end++
	}
	if doubled {
		c.AddText(strings.ReplaceAll(c.Text[from+1:min(end, to)], `""`, `"`))
	} else {
		c.Add(from+1, min(end, to))
	}
	return min(end+1, to)
}

// gather puts the fields of lists together, up to the first that the line is too short for. It
// returns those that have no name.
func (l *Lines) gather(c *delimited.Cells) (rest []workload.Span) {
	if n := min(len(c.Fields), len(l.layout)); !l.hasLists {
		rest, c.Fields = c.Fields[n:], c.Fields[:n]
		return rest
	}
	rest, c.Fields = slices.Clone(c.Fields), c.Fields[:0]
	for _, f := range l.layout {
		n := f.count
		if f.times >= 0 {
			count, err := strconv.Atoi(c.At(c.Fields[f.times]))
			if err != nil || count < 0 || count > len(rest) || count > 0 && n == 0 {
				break
			}
			n *= count
		}
		if n > len(rest) {
			break
		}
		if n == 1 {
			c.Fields = append(c.Fields, rest[0])
		} else {
			var texts []string
			for _, s := range rest[:n] {
				texts = append(texts, c.At(s))
			}
			c.AddText(strings.Join(texts, " "))
		}
		rest = rest[n:]
	}
	return rest
}

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
	leaveOut := func(func(string) bool, *workload.Warnings) {} // whoever named the fields knows those without a use
	s := &source{name: name, read: t.read, leftOut: leaveOut, warnings: &t.warnings}
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
	rows := delimited.Decode(t.workers, t.before, t.lines.Chunks, decode)
	if l.Job != nil {
		rows = d.join(rows, len(columns))
	}
	return delimited.TableOf(rows, &t.warnings)
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
			rows.Warnings.Add("left-out-rows", "records left out, which are not separate jobs", line, why)
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
	c := &delimited.Cells{Text: text}
	m.cut(c, 0, len(text), m.Separator[len(m.Separator)-1])
	want := strconv.Itoa(len(m.layout))
	if m.Least > 0 {
		least := 0
		for _, f := range m.layout[:min(m.Least, len(m.layout))] {
			if f.times < 0 {
				least += f.count
			}
		}
		want = fmt.Sprintf("at least %d", least)
	}
	return &workload.InputError{File: file, Line: line, Saw: words.Counted(len(c.Fields), "field") + " in " + parse.ShortenLine([]byte(text)), Want: want + ", as the mapping " + m.Name + " has them"}
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
			at = addQuoted(c, at, to)
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
