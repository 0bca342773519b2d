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
	line = strings.TrimLeft(line, " \t\r\n")
	return line == "" || line[0] == ';' || line[0] == '#'
}

// split takes a line apart into fields by their place in the layout, in the memory of fields. It
// reports whether the line has all that it must have, and its quotes are closed. Of several
// separators the first that gives exactly the names is taken, else the last one.
func (l *Lines) split(line string, fields []string) (_ []string, all bool) {
	for _, separator := range l.Separator {
		var closed bool
		if fields, closed = l.cut(fields[:0], line, separator); !closed {
			return fields[:min(len(fields), len(l.layout))], false
		}
		var rest []string
		fields, rest = l.gather(fields)
		if len(fields) == len(l.layout) && (len(rest) == 0 || len(rest) == 1 && rest[0] == "") {
			return fields, true
		}
		all = l.Least > 0 && len(fields) >= l.Least
	}
	return fields, all
}

// cut appends the fields of a line. It is false if a quote is not closed.
func (l *Lines) cut(fields []string, line, separator string) (_ []string, closed bool) {
	switch {
	case l.Pairs != "": // the last field may have separators
		return append(fields, strings.SplitN(line, separator, len(l.Fields))...), true
	case separator != "":
		return delimited.Split(fields, line, separator), true
	}
	for line = strings.TrimLeft(line, " \t"); line != ""; line = strings.TrimLeft(line, " \t") {
		if l.Quotes && line[0] == '"' {
			var field string
			if field, line, closed = quoted(line); !closed {
				return fields, false
			}
			fields = append(fields, field)
			continue
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		fields, line = append(fields, line[:end]), line[end:]
	}
	return fields, true
}

// quoted returns the text in the quotes that begin a text, where quotes are doubled, and what follows.
func quoted(text string) (value, rest string, closed bool) {
	end := 1
	for ; end < len(text) && (text[end] != '"' || strings.HasPrefix(text[end:], `""`)); end++ {
		if text[end] == '"' {
			end++
		}
	}
	value = strings.ReplaceAll(text[1:min(end, len(text))], `""`, `"`)
	return value, text[min(end+1, len(text)):], end < len(text)
}

// eachPair takes a text of pairs such as a=1 b="x y" apart.
func eachPair(text string, set func(name, value string)) {
	for {
		name, value, isPair := strings.Cut(text, "=")
		if !isPair {
			return
		}
		name = name[strings.LastIndexAny(name, " \t")+1:]
		if strings.HasPrefix(value, `"`) {
			value, text, _ = quoted(value)
		} else {
			value, text, _ = strings.Cut(value, " ")
		}
		set(name, value)
	}
}

// gather puts the fields of lists together, up to the first that the line is too short for. rest are
// those that have no name.
func (l *Lines) gather(fields []string) (named, rest []string) {
	if n := min(len(fields), len(l.layout)); !l.hasLists {
		return fields[:n], fields[n:]
	}
	named, rest = fields[:0], slices.Clone(fields)
	for _, f := range l.layout {
		n := f.count
		if f.times >= 0 {
			count, err := strconv.Atoi(named[f.times])
			if err != nil || count < 0 || count > len(rest) || count > 0 && n == 0 {
				break
			}
			n *= count
		}
		if n > len(rest) {
			break
		}
		named, rest = append(named, strings.Join(rest[:n], " ")), rest[n:]
	}
	return named, rest
}
