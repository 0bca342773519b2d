package mapping

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
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

	layout   []lineField
	hasLists bool
	rules    []rowRule
}

// lineField is one of Lines.Fields.
type lineField struct {
	name  string
	count int // of its fields
	times int // the field whose value multiplies count, -1 for none
}

// rowRule leaves rows out.
type rowRule struct {
	column  string
	pattern *regexp.Regexp
	leaves  bool // the rows that match
}

// listField finds the length of a list in the name of a field.
var listField = regexp.MustCompile(`^(.+)\[(?:(\d+)\*)?(\w+)\]$`)

// compile completes the keys. The error is of the value at path.
func (l *Lines) compile() (path string, err *workload.OptionError) {
	pattern := func(text string) (*regexp.Regexp, *workload.OptionError) {
		r, err := regexp.Compile(text)
		if err != nil {
			return nil, &workload.OptionError{Saw: strconv.Quote(text), Want: "a regular expression (" + err.Error() + ")"}
		}
		return r, nil
	}
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
		rules  map[string]string
		leaves bool
	}{{"only", l.Only, false}, {"except", l.Except, true}} {
		for _, column := range slices.Sorted(maps.Keys(x.rules)) {
			r, err := pattern(x.rules[column])
			if err != nil {
				return x.key + "." + column, err
			}
			l.rules = append(l.rules, rowRule{column, r, x.leaves})
		}
	}
	return "", nil
}

// isText reports whether the mapping is of texts without a line of names.
func (l *Lines) isText() bool { return l.Fields != nil || l.Records }

// firstLine returns the first line of a text that is no comment.
func firstLine(head []byte) []byte {
	for line := range bytes.Lines(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))) {
		if line = bytes.TrimRight(line, "\r\n"); !isComment(line) {
			return line
		}
	}
	return nil
}

// isComment reports whether a line has no row.
func isComment(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == ';' || line[0] == '#'
}

// split returns the fields of a line by their place in the layout, and whether it has all that a
// line must have. Of several separators the first that gives exactly the names is taken, else the
// last one.
func (l *Lines) split(line []byte) (fields [][]byte, all bool) {
	line = bytes.TrimRight(line, "\r\n")
	for _, separator := range l.Separator {
		var rest [][]byte
		fields, rest = l.gather(l.cut(line, separator))
		if len(fields) == len(l.layout) && (len(rest) == 0 || len(rest) == 1 && len(rest[0]) == 0) {
			return fields, true
		}
		all = l.Least > 0 && len(fields) >= l.Least
	}
	return fields, all
}

// cut takes a line apart.
func (l *Lines) cut(line []byte, separator string) (fields [][]byte) {
	switch {
	case l.Pairs != "":
		return bytes.SplitN(line, []byte(separator), len(l.Fields))
	case separator != "":
		fields = bytes.Split(line, []byte(separator))
		for i, f := range fields {
			fields[i] = bytes.TrimSpace(f)
		}
		return fields
	case !l.Quotes:
		return bytes.Fields(line)
	}
	for {
		line = bytes.TrimLeft(line, " \t")
		if len(line) == 0 {
			return fields
		}
		var field []byte
		field, line = quoted(line)
		fields = append(fields, field)
	}
}

// quoted takes a text up to the next blank, or in quotes, off a line.
func quoted(line []byte) (field, rest []byte) {
	if line[0] != '"' {
		field, rest, _ = bytes.Cut(line, []byte{' '})
		return field, rest
	}
	end := 1
	for end < len(line) && (line[end] != '"' || end+1 < len(line) && line[end+1] == '"') {
		if line[end] == '"' {
			end++
		}
		end++
	}
	field = bytes.ReplaceAll(line[1:min(end, len(line))], []byte(`""`), []byte{'"'})
	return field, line[min(end+1, len(line)):]
}

// gather puts the fields of lists together, up to the first that the line is too short for. rest
// are those that have no name.
func (l *Lines) gather(cut [][]byte) (fields, rest [][]byte) {
	if rest = cut; !l.hasLists {
		n := min(len(cut), len(l.layout))
		return cut[:n], cut[n:]
	}
	for _, f := range l.layout {
		n := f.count
		if f.times >= 0 {
			count, err := strconv.Atoi(string(fields[f.times]))
			if err != nil || count < 0 || count > len(cut) || count > 0 && n == 0 {
				break
			}
			n *= count
		}
		if n > len(rest) {
			break
		}
		field := bytes.Join(rest[:n], []byte{' '})
		if n == 1 {
			field = rest[0]
		}
		fields, rest = append(fields, field), rest[n:]
	}
	return fields, rest
}

// lineTable reads rows of a mapping's Lines.
type lineTable struct {
	file     string
	r        io.Reader
	mapping  *Mapping
	workers  int
	before   int64 // lines of comments before the rows
	warnings workload.Warnings
}

// lineSource reads the comments before the rows.
func lineSource(name string, r *bufio.Reader, m *Mapping, o workload.Options) (*source, error) {
	t := &lineTable{file: name, r: r, mapping: m, workers: par.Workers(o.Workers)}
	leaveOut := func(func(string) bool, *workload.Warnings) {} // whoever named the fields knows those without a use
	s := &source{name: name, read: t.read, leftOut: leaveOut, warnings: &t.warnings}
	size := 0
	for {
		head, err := r.Peek(1)
		if err != nil || len(head) == 0 || !bytes.Contains([]byte("#;\r\n\xef"), head) {
			break
		}
		if head[0] == '\xef' {
			if mark, _ := r.Peek(3); string(mark) != "\xef\xbb\xbf" {
				break
			}
			r.Discard(3)
			continue
		}
		line, err := r.ReadSlice('\n')
		if size += len(line) + 16; err == bufio.ErrBufferFull || size > parse.MaxHeader {
			return nil, &workload.InputError{File: name, Line: t.before + 1, Saw: "a header of more than 16 MiB, or a line of more than 64 KiB in it", Want: "jobs"}
		}
		if t.before++; bytes.IndexByte(line, 0) >= 0 {
			return nil, parse.NotText(name, t.before, line)
		}
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 {
			s.header.Lines = append(s.header.Lines, string(line[1:]))
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

func (t *lineTable) read(columns []workload.TableColumn) workload.Table {
	places := map[string]int{}
	for i, c := range columns {
		places[c.Name] = i
	}
	for _, r := range t.mapping.rules { // whose columns are behind the others
		if _, ok := places[r.column]; !ok {
			places[r.column] = len(places)
		}
	}
	chunks := lineChunks(t.file, t.r, t.before, t.workers, nil)
	if t.mapping.Records {
		chunks = lineChunks(t.file, t.r, t.before, t.workers, recordsEnd)
	}
	return tableOf(t.workers, chunks, func(c textChunk) (*chunkRows, error) { return t.decode(c, len(columns), places) }, &t.warnings)
}

// decode reads the rows of a chunk: the columns are the first of places.
func (t *lineTable) decode(c textChunk, columns int, places map[string]int) (*chunkRows, error) {
	d := newChunkRows(t.file, columns)
	row := make([][]byte, len(places))
	at := make([]int, len(t.mapping.layout)) // the place of each field, -1 for none
	for i, f := range t.mapping.layout {
		at[i] = -1
		if place, ok := places[f.name]; ok {
			at[i] = place
		}
	}
	set := func(name, value []byte) {
		if i, ok := places[string(name)]; ok {
			row[i] = value
		}
	}
	line, begun := c.line, int64(0) // line of the record's first line, 0 between records
	for text := range bytes.Lines(c.text) {
		line++
		if bytes.IndexByte(text, 0) >= 0 {
			return nil, parse.NotText(t.file, line, text)
		}
		if t.mapping.Records {
			if name, value, ok := bytes.Cut(text, []byte(" = ")); ok && !bytes.HasPrefix(name, []byte("***")) {
				value = bytes.TrimSpace(value)
				if n := len(value); n >= 2 && value[0] == '"' && value[n-1] == '"' {
					value = value[1 : n-1]
				}
				set(bytes.TrimSpace(name), value)
				if begun == 0 {
					begun = line
				}
			} else if begun > 0 {
				d.add(row, begun, t.mapping.rules, places)
				begun = 0
				clear(row)
			}
			continue
		}
		if isComment(text) {
			continue
		}
		clear(row)
		fields, all := t.mapping.split(text)
		for i, field := range fields {
			if at[i] >= 0 {
				row[at[i]] = field
			}
			if t.mapping.layout[i].name == t.mapping.Pairs {
				eachPair(field, set)
			}
		}
		if !all && !leavesOut(row, t.mapping.rules, places) {
			return nil, t.mapping.tooFew(t.file, line, text)
		}
		d.add(row, line, t.mapping.rules, places)
	}
	if begun > 0 {
		d.add(row, begun, t.mapping.rules, places)
	}
	d.finish()
	return d, nil
}

// tooFew is the error of a line that has not the fields of the mapping.
func (m *Mapping) tooFew(file string, line int64, text []byte) error {
	saw := len(m.cut(bytes.TrimRight(text, "\r\n"), m.Separator[len(m.Separator)-1]))
	want := strconv.Itoa(len(m.layout))
	if m.Least > 0 {
		want = fmt.Sprintf("at least %d", m.Least)
	}
	return &workload.InputError{File: file, Line: line, Saw: words.Counted(saw, "field") + " in " + parse.ShortenLine(bytes.TrimRight(text, "\r\n")), Want: want + ", as the mapping " + m.Name + " has them"}
}

// eachPair takes a text of pairs such as a=1 b="x y" apart.
func eachPair(text []byte, set func(name, value []byte)) {
	for {
		text = bytes.TrimLeft(text, " \t\r\n")
		equals := bytes.IndexByte(text, '=')
		if equals < 0 {
			return
		}
		name, rest := text[:equals], text[equals+1:]
		name = name[bytes.LastIndexByte(name, ' ')+1:]
		value := []byte(nil)
		if len(rest) > 0 {
			value, rest = quoted(rest)
		}
		set(name, bytes.TrimRight(value, "\r\n"))
		text = rest
	}
}

// leavesOut reports whether a row is left out.
func leavesOut(row [][]byte, rules []rowRule, places map[string]int) bool {
	return slices.ContainsFunc(rules, func(r rowRule) bool { return r.pattern.Match(row[places[r.column]]) == r.leaves })
}

// textChunk is a text of whole rows.
type textChunk struct {
	text  []byte
	line  int64 // lines before it
	first bool
	done  func() // gives its memory back
}

// chunkRows has the decoded rows of a chunk and their warnings.
type chunkRows struct {
	rows     workload.TableRows
	texts    []parse.TextList // of each column, until finish
	lines    []int64          // of each row
	warnings workload.Warnings
}

func newChunkRows(file string, columns int) *chunkRows {
	return &chunkRows{rows: workload.TableRows{File: file, Columns: make([]workload.TableValues, columns)}, texts: make([]parse.TextList, columns)}
}

// add adds a row unless a rule leaves it out.
func (d *chunkRows) add(row [][]byte, line int64, rules []rowRule, places map[string]int) {
	if leavesOut(row, rules, places) {
		d.warnings.Add("left-out-rows", "records left out, which are not separate jobs", line, "")
		return
	}
	for i := range d.texts {
		d.texts[i].Add(row[i])
	}
	d.lines = append(d.lines, line)
	d.rows.Rows++
}

func (d *chunkRows) finish() {
	for i := range d.texts {
		d.rows.Columns[i].Text = d.texts[i].Strings()
	}
}

// lineChunks yields a text in chunks of whole lines, or of what end finds: it returns the end of
// the last whole row in a text.
func lineChunks(file string, r io.Reader, before int64, workers int, end func([]byte) int) iter.Seq2[textChunk, error] {
	return func(yield func(textChunk, error) bool) {
		lines := parse.NewLines(file, r, parse.ChunkSize, 2*workers+2)
		var carry []byte // the beginning of a row
		for {
			text, err := lines.Next()
			if err == io.EOF {
				if len(carry) > 0 {
					yield(textChunk{carry, before, false, func() {}}, nil)
				}
				return
			}
			if e, ok := err.(*workload.InputError); ok && e.Line > 0 {
				e.Line += before
			}
			c := textChunk{text, before, false, func() { lines.Recycle(text) }}
			if end != nil && err == nil {
				all := append(carry, text...)
				lines.Recycle(text)
				at := end(all)
				if carry = bytes.Clone(all[at:]); len(carry) > parse.MaxLine {
					err = &workload.InputError{File: file, Line: before + 1, Saw: "a record of more than 1 MiB", Want: "a blank line after each"}
				}
				c.text, c.done = all[:at], func() {}
			}
			if !yield(c, err) || err != nil {
				return
			}
			before += int64(bytes.Count(c.text, []byte{'\n'}))
		}
	}
}

// recordsEnd returns the end of the last record that a blank line or one of *** follows.
func recordsEnd(text []byte) (end int) {
	for _, mark := range []string{"\n\n", "\n\r\n", "\n***"} {
		end = max(end, bytes.LastIndex(text, []byte(mark))+1)
	}
	return end
}

// tableOf decodes chunks in parallel and yields their rows in order. It adds the warnings of
// the yielded chunks to odd.
func tableOf(workers int, chunks iter.Seq2[textChunk, error], decode func(textChunk) (*chunkRows, error), odd *workload.Warnings) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		row := int64(1)
		each := func(c textChunk) (*chunkRows, error) {
			defer c.done()
			return decode(c)
		}
		for c, err := range par.Map(workers, chunks, each, nil) {
			if err != nil {
				yield(nil, err)
				return
			}
			odd.Merge(&c.warnings)
			lines := c.lines
			c.rows.Line = func(row int) int64 { return lines[row] }
			c.rows.Row = row
			row += int64(c.rows.Rows)
			if c.rows.Rows > 0 && !yield(&c.rows, nil) {
				return
			}
		}
	}
}
