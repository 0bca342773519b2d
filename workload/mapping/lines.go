package mapping

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
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
// and reports whether it has all that a line must have, and its quotes are closed. Of several
// separators the first that gives exactly the names is taken, else the last one.
func (l *Lines) split(c *delimited.Cells, from, to int) (all bool) {
	for to > from && (c.Text[to-1] == '\n' || c.Text[to-1] == '\r') {
		to--
	}
	for _, separator := range l.Separator {
		c.Fields = c.Fields[:0]
		closed := l.cut(c, from, to, separator)
		rest := l.gather(c)
		if !closed {
			return false
		}
		if len(c.Fields) == len(l.layout) && (len(rest) == 0 || len(rest) == 1 && rest[0].From == rest[0].To) {
			return true
		}
		all = l.Least > 0 && len(c.Fields) >= l.Least
	}
	return all
}

// cut adds the fields of a line. It is false if a quote is not closed.
func (l *Lines) cut(c *delimited.Cells, from, to int, separator string) bool {
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
		return true
	}
	if separator != "" {
		c.Split(from, to, separator)
		return true
	}
	for {
		for from < to && (c.Text[from] == ' ' || c.Text[from] == '\t') {
			from++
		}
		switch {
		case from == to:
			return true
		case l.Quotes && c.Text[from] == '"':
			end := addQuoted(c, from, to)
			if end > to {
				return false
			}
			from = end
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

// addQuoted adds the text in quotes that begins there, and returns its end, which is beyond to
// where the quote is not closed.
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
	return end + 1
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
