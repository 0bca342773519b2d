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

// Lines holds the keys of a mapping for a text without a header line. A row is either a line of
// fields, separated by blanks or a separator, or a record of lines such as "name = value". Lines
// that begin with ; or # are comments; those before the first row are the log's header.
type Lines struct {
	// Fields names the columns in order. "hosts[n]" is a list whose length is the value of field n;
	// "usage[17]" is a list of 17 fields, and "pairs[2*n]" one of 2n. The fields of a list are
	// joined by blanks. "other[0*n]" is empty if n is 0; otherwise its length is unknown, and so
	// are the fields after it.
	Fields    []string `opt:"fields"`
	Separator []string `opt:"separator" repeat:"true"` // the first that yields exactly Fields, else the last; "" means blanks
	Quotes    bool     `opt:"quotes"`                  // fields may be quoted, with doubled quotes inside
	Least     int      `opt:"least" in:"[1,)"`         // smallest number of fields, if not all; surplus ones are ignored
	Pairs     string   `opt:"pairs"`                   // the last field, with more columns: "name=value" separated by blanks
	Records   bool     `opt:"records"`                 // a row is lines of "name = value" up to a blank line or one of ***
	// Only and Except have regular expressions by column. Rows that do not match all of Only, or
	// that match one of Except, are left out and counted.
	Only   map[string]string `opt:"only"`
	Except map[string]string `opt:"except"`
	Jobs

	layout   []lineField
	hasLists bool
	rules    []rowRule
	parts    []rowRule
}

// lineField is an element of Lines.Fields.
type lineField struct {
	name  string
	count int // number of its fields, or a factor of it
	times int // index of the field whose value multiplies count, or -1
}

// rowRule is a regular expression for the values of a column.
type rowRule struct {
	column  string
	pattern *regexp.Regexp
	leaves  bool // leaves out the rows that match, rather than the others
}

// listField matches the name of a field that is a list, with the length in brackets.
var listField = regexp.MustCompile(`^(.+)\[(?:(\d+)\*)?(\w+)\]$`)

// compile checks the keys and derives the other fields from them. It returns the path of an invalid
// value and the error, or nil.
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

// isText reports whether the mapping is for texts without a header line.
func (l *Lines) isText() bool { return l.Fields != nil || l.Records }

// firstLine returns the first line of head that is not a comment, or nil.
func firstLine(head []byte) []byte {
	for line := range bytes.Lines(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))) {
		if line = bytes.TrimRight(line, "\r\n"); !isComment(string(line)) {
			return line
		}
	}
	return nil
}

// isComment reports whether a line is blank or a comment.
func isComment(line string) bool {
	line = strings.TrimLeft(line, " \t\r\n")
	return line == "" || line[0] == ';' || line[0] == '#'
}

// split splits a line into the fields of the layout, reusing the memory of fields. all reports
// whether the line has all the fields that it must have, and its quotes are closed. The first
// separator that yields exactly the fields of the layout is used, otherwise the last one.
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

// cut appends the fields of a line. closed is false if a quote is not closed.
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

// quoted returns the contents of the quotes at the beginning of text, with doubled quotes made
// single, and the text after them. closed is false if there is no closing quote.
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

// eachPair calls set for each pair in a text such as a=1 b="x y".
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

// gather joins the fields of each list, up to the first list for which the line is too short. rest
// holds the fields that remain.
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
