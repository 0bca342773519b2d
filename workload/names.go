package workload

import (
	"strconv"
	"strings"
)

// Names maps the texts of identifier columns to numbers, for formats that name users, groups,
// applications, queues and partitions by text. The texts of each column are numbered from 1 in
// order of appearance, so that the numbers do not depend on how the log is read. The texts are
// stored in the header in the form that SWF has for queues: "User: 3 alice".
//
// The zero value is ready for use. A reader's Names, and the lines in its header, are complete
// when the log has been read to its end.
type Names struct {
	numbers [NumColumns]map[string]int64
	texts   [NumColumns][]string // text of number i+1
}

// NameKey returns the header keyword for names of a column's numbers, or "" if they have none.
func NameKey(col int) string { return columns[col].NameKey }

var namedColumns = ColumnsOf(Identifier)

// NamedColumns returns the columns whose numbers can have names, which are the identifiers, in
// schema order. The caller must not modify the slice.
func NamedColumns() []int { return namedColumns }

// Number returns the number of a text in a column. A new text gets the next number; an empty
// text is Unknown.
func (n *Names) Number(col int, text string) int64 {
	if text == "" {
		return Unknown
	}
	id, ok := n.numbers[col][text]
	if !ok {
		if n.numbers[col] == nil {
			n.numbers[col] = map[string]int64{}
		}
		id = int64(len(n.texts[col])) + 1
		text = strings.Clone(text)
		n.numbers[col][text] = id
		n.texts[col] = append(n.texts[col], text)
	}
	return id
}

// Text returns the text with a number, and false if there is none.
func (n *Names) Text(col int, id int64) (string, bool) {
	if id < 1 || id > int64(len(n.texts[col])) {
		return "", false
	}
	return n.texts[col][id-1], true
}

// Len returns the number of texts in a column.
func (n *Names) Len(col int) int { return len(n.texts[col]) }

// Find returns the number of a text in a column, and false if the text has no number yet.
func (n *Names) Find(col int, text string) (int64, bool) {
	id, ok := n.numbers[col][text]
	return id, ok
}

// AddTo adds the names to a header, in the order of columns and numbers.
func (n *Names) AddTo(h *Header) {
	for _, col := range namedColumns {
		for i, text := range n.texts[col] {
			h.AddNamed(NameKey(col), int64(i)+1, text)
		}
	}
}

// AddNamed adds a line that names a numbered thing, such as "Queue: 1 batch".
func (h *Header) AddNamed(key string, n int64, name string) {
	h.Add(key, formatNamed(n, OneLine(name)))
}

// Names returns the names by number from the lines with a keyword such as "User", "Group",
// "Application", "Queue" or "Partition", whose values have the form "number name (details)". If
// a dash separates number and name, as in "1 - Normal jobs - default", the name ends at the next
// dash. A name that could be misread is in double quotes, with a backslash before quotes in it.
func (h *Header) Names(key string) map[int64]string {
	names := map[int64]string{}
	for _, v := range h.All(key) {
		if n, name, _, ok := parseNamed(v); ok && name != "" {
			names[n] = name
		}
	}
	return names
}

// NamesOf returns the names of the numbers in a column, given by its name or one of its words.
// It returns nil for a column without names.
func (h *Header) NamesOf(column string) map[int64]string {
	c := FindColumn(column)
	if c == nil || c.NameKey == "" {
		return nil
	}
	return h.Names(c.NameKey)
}

// parseNamed parses the value of a header line that names something, such as "3 alice". whole
// reports whether the value contains nothing else.
func parseNamed(value string) (n int64, name string, whole, ok bool) {
	first, _, lines := strings.Cut(value, "\n")
	number, rest, _ := strings.Cut(first, " ")
	n, err := strconv.ParseInt(strings.TrimSuffix(number, ":"), 10, 64)
	if err != nil {
		return 0, "", false, false
	}
	rest = strings.TrimSpace(rest)
	if quoted, err := strconv.QuotedPrefix(rest); err == nil && rest[0] == '"' {
		if name, err = strconv.Unquote(quoted); err == nil {
			return n, OneLine(name), len(quoted) == len(rest) && !lines, true
		}
	}
	name = rest
	if dashed, ok := strings.CutPrefix(rest, "- "); ok {
		name, _, _ = strings.Cut(dashed, " - ")
	} else {
		name, _, _ = strings.Cut(rest, " (")
	}
	name = strings.TrimSpace(name)
	return n, name, name == rest && !lines, true
}

// formatNamed returns the value of such a line. It quotes names that would be misread.
func formatNamed(n int64, name string) string {
	value := strconv.FormatInt(n, 10) + " " + name
	if _, again, whole, _ := parseNamed(value); again != name || !whole {
		return strconv.FormatInt(n, 10) + ` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
	}
	return value
}

// OneLine returns s with line ends and NUL bytes replaced by blanks, so that it can be part of a
// header line.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == 0 {
			return ' '
		}
		return r
	}, s)
}
