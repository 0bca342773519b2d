package workload

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/words"
)

// Words that can stand in place of a column, and those that can follow an amount.
const (
	AllJobs    = "all"   // a single class
	KindWord   = "kind"  // interactive and batch jobs, by the names of partitions or queues
	NamedWord  = "class" // the NamedClass values that were given
	eachValue  = "each"  // after an amount: a class for each value
	doubling   = "x2"    // after an amount: ranges from each power of two to the next
	rangesMark = ":"
)

// The names of the two kinds of jobs.
const (
	KindInteractive = "interactive"
	KindBatch       = "batch"
)

// Grouping configures which words ParseClasses accepts and how it reads them.
type Grouping struct {
	Submitted bool // accept only columns that are known at submission
	Each      bool // an amount without ranges has a class for each value, rather than for ranges of powers of two
	// Measured adds the columns that no model uses for classes (measured values and the numbers
	// of other jobs) and the CalendarWords, by the time of submission.
	Measured bool
	// Plain excludes the words "kind" and "class", which need a header.
	Plain bool
	// Named defines the classes of the word "class". Header has the names of values and of the
	// kinds of jobs. If Header is nil, for a check before a log is open, names of values are not
	// looked up.
	Named  []NamedClass
	Header *Header
}

// columns returns the columns that ParseClasses accepts: identifiers, then codes, then amounts,
// then those that Measured adds.
func (g Grouping) columns() []*Column {
	var all []*Column
	for _, use := range []Use{Identifier, Code, Amount} {
		for i := range attributes {
			if c := &attributes[i]; c.Use == use && (c.submitted || !g.Submitted) {
				all = append(all, c)
			}
		}
	}
	for i := range columns {
		if c := &columns[i]; g.Measured && i != ColJobID && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

// ClassColumns returns the names of the columns by which jobs can be grouped: identifiers,
// then codes, then amounts. submitted selects those that are known when a job is submitted.
func ClassColumns(submitted bool) []string {
	var names []string
	for _, c := range (Grouping{Submitted: submitted}).columns() {
		names = append(names, c.Name)
	}
	return names
}

// Words returns the words that ParseClasses accepts, one for each column.
func (g Grouping) Words() []string {
	words := []string{AllJobs}
	for _, c := range g.columns() {
		words = append(words, c.Words[0])
	}
	if !g.Plain {
		words = append(words, KindWord, NamedWord)
		if g.Measured {
			words = append(words, CalendarWords...)
		}
	}
	return words
}

// Help returns a phrase for messages that suggests words similar to text, or lists all words if
// none is similar.
func (g Grouping) Help(text string) string {
	text = strings.ToLower(text)
	var near []string
	for _, c := range g.columns() {
		if len(text) > 2 && words.Near(text, c.Words) != nil {
			near = append(near, c.Words[0])
		}
	}
	if n := len(near); 0 < n && n <= 3 && !slices.Contains([]string{AllJobs, KindWord, NamedWord}, text) {
		return "a column (did you mean " + strings.Join(near, " or ") + "?)"
	}
	return "one or more of " + strings.Join(g.Words(), ", ") + "; an amount can have ranges, such as size:4:16:64"
}

// SplitList splits a list at its commas, except those in parentheses: "es(alpha=0.3),last".
func SplitList(text string) []string {
	var items []string
	depth, from := 0, 0
	for i, c := range text + "," {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && (depth <= 0 || i == len(text)):
			items = append(items, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return items
}

// SplitClasses splits a list of words for ParseClasses at its commas and plus signs.
func SplitClasses(text string) []string {
	return SplitList(strings.ReplaceAll(text, "+", ","))
}

// ClassesOf returns the classifier that words describe. Each word is a column, by its name or
// one of its words, or "kind" or "class"; the classes are the cross product of the columns.
// "all", or no words, means a single class. An amount can be followed by the upper ends of its
// ranges, as in "size:4:16:64" or "time:1h:6h", or by "each" or "x2", as in "size:each". An
// error is an *OptionError of "classes".
func ClassesOf(words []string, g Grouping) (*Classifier, error) {
	var by []ClassColumn
	if len(words) == 1 && words[0] == AllJobs {
		words = nil
	}
	for _, word := range words {
		c, err := g.column(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		by = append(by, c)
	}
	return NewClassifier(by)
}

// ParseClasses is like ClassesOf but returns the columns of the classifier.
func ParseClasses(words []string, g Grouping) ([]ClassColumn, error) {
	c, err := ClassesOf(words, g)
	return c.Columns(), err
}

// ClassesBy parses the value of an option named "by". An error is an *OptionError of that name.
func (g Grouping) ClassesBy(by string) (*Classifier, error) {
	c, err := ClassesOf(SplitClasses(by), g)
	return c, OptionNamed("by", err)
}

// NormalClassWords returns words in the form that options and results have: with the full name
// of each column. Errors are those of ClassesOf.
func NormalClassWords(words []string, g Grouping) ([]string, error) {
	g.Header = nil
	columns, err := ParseClasses(words, g)
	if err != nil {
		return nil, err
	}
	normal := slices.Clone(words)
	for i, c := range columns {
		if word, ranges, ranged := strings.Cut(words[i], rangesMark); word != KindWord && word != NamedWord && c.Calendar == nil {
			normal[i] = c.Column
			if ranged {
				normal[i] += rangesMark + ranges
			}
		}
	}
	return normal, nil
}

// column parses one word.
func (g Grouping) column(text string) (ClassColumn, error) {
	word, ranges, ranged := strings.Cut(text, rangesMark)
	switch {
	case text == KindWord && !g.Plain:
		return kindColumn(g.Header)
	case text == NamedWord && !g.Plain:
		return namedColumn(g.Named, g.Header)
	case slices.Contains(CalendarWords, text) && g.Measured:
		calendar := Calendar{Word: text}
		if g.Header != nil {
			calendar.Clock, _ = g.Header.Clock()
		}
		return ClassColumn{Column: columns[ColSubmitTime].Name, Calendar: &calendar}, nil
	}
	column := FindColumn(word)
	if column == nil || !slices.Contains(g.columns(), column) {
		return ClassColumn{}, &OptionError{"classes", strconv.Quote(text), g.Help(word)}
	}
	c := ClassColumn{Column: column.Name}
	switch {
	case ranged && !column.ranged():
		return c, &OptionError{"classes", strconv.Quote(text), "ranges for amounts only; the numbers of " + column.Words[0] + " are identifiers"}
	case !ranged:
		c.Each = column.Use == Measured || column.Use == Amount && g.Each
		return c, nil
	case ranges == eachValue:
		c.Each = true
		return c, nil
	case ranges == doubling:
		return c, nil
	}
	for _, edge := range strings.Split(ranges, rangesMark) {
		x, err := ParseSeconds(edge)
		if column.Unit != "s" {
			x, err = strconv.ParseFloat(edge, 64)
		}
		if err != nil || !(x >= 0) || math.IsInf(x, 0) || len(c.Edges) > 0 && !(x > c.Edges[len(c.Edges)-1]) {
			return c, &OptionError{"classes", strconv.Quote(text), "ascending numbers of 0 or more, the upper ends of ranges, such as size:4:16:64 or time:1h:6h; or size:" + eachValue + " or size:" + doubling}
		}
		c.Edges = append(c.Edges, x)
	}
	return c, nil
}

// unitSeconds maps each unit of time to its length in seconds.
var unitSeconds = map[string]float64{"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}

// ParseSeconds parses a duration, a number with an optional unit s, m, h, d or w, and returns it
// in seconds.
func ParseSeconds(text string) (float64, error) {
	number := strings.TrimRight(text, "smhdw")
	x, err := strconv.ParseFloat(number, 64)
	x *= unitSeconds[text[len(number):]]
	if err == nil && (math.IsNaN(x) || math.IsInf(x, 0) || len(text) > len(number)+1) {
		err = strconv.ErrRange
	}
	return x, err
}

// kindColumn returns the column whose classes are interactive and batch jobs (Lublin and
// Feitelson 2003, section 8.1). Interactive jobs are those of the partitions whose names in the
// header contain "interactive", if other partitions have names that do not. Otherwise, queues are
// tried in the same way.
func kindColumn(h *Header) (ClassColumn, error) {
	c := ClassColumn{Column: columns[ColQueue].Name, Groups: map[int64]string{}, Other: KindBatch}
	if h == nil {
		return c, nil
	}
	for _, col := range []int{ColPartition, ColQueue} {
		c.Column = columns[col].Name
		names := h.Names(NameKey(col))
		for v, name := range names {
			if strings.Contains(strings.ToLower(name), KindInteractive) {
				c.Groups[v] = KindInteractive
			}
		}
		if n := len(c.Groups); n > 0 && n < len(names) {
			return c, nil
		}
		clear(c.Groups)
	}
	return ClassColumn{}, &OptionError{"classes", KindWord + ": no partition or queue in the header is called interactive", "named classes, such as `class` interactive=1"}
}

// NamedClass is a named class of some values of an identifier, such as the queues of short jobs.
type NamedClass struct {
	Name   string
	Column string   // the name of an identifier; "" is queue_id
	Values []string // numbers, names in the header, or patterns of these such as q*s
}

// ParseNamedClass parses NAME=VALUE,... or COLUMN:NAME=VALUE,..., such as "short=q1s,q2s" or
// "partition:east=1,2".
func ParseNamedClass(text string) (NamedClass, error) {
	const want = "[COLUMN:]NAME=VALUE,..., such as short=q1s,q2s or partition:east=1,2"
	fault := func(want string) error { return &OptionError{"class", strconv.Quote(text), want} }
	name, list, ok := strings.Cut(text, "=")
	c := NamedClass{Column: columns[ColQueue].Name}
	if word, rest, found := strings.Cut(name, rangesMark); found {
		column := FindColumn(strings.TrimSpace(word))
		if column == nil || column.Use != Identifier {
			var identifiers []string
			for _, col := range namedColumns {
				identifiers = append(identifiers, columns[col].Words[0])
			}
			return c, fault(want + ", with one of the columns " + strings.Join(identifiers, ", "))
		}
		c.Column, name = column.Name, rest
	}
	if c.Name = strings.TrimSpace(name); !ok || c.Name == "" {
		return c, fault(want)
	}
	if c.Name == otherClass {
		return c, fault("another name: " + otherClass + " are the jobs in no class")
	}
	for _, v := range strings.Split(list, ",") {
		v = strings.TrimSpace(v)
		if _, err := path.Match(v, ""); v == "" || err != nil {
			return c, fault(want + ": each value a number, a name or a pattern such as q*s")
		}
		c.Values = append(c.Values, v)
	}
	return c, nil
}

// namedColumn returns the column of the named classes. A value given by number or name belongs
// to that class, and to no other; any other value belongs to the first class with a matching
// pattern.
func namedColumn(named []NamedClass, h *Header) (ClassColumn, error) {
	if len(named) == 0 {
		return ClassColumn{}, &OptionError{"classes", strconv.Quote(NamedWord), "named classes, such as `class` short=q1s,q2s and `class` long=q1l"}
	}
	fault := func(saw, want string) error { return &OptionError{"class", saw, want} }
	c := ClassColumn{Column: cmp.Or(named[0].Column, columns[ColQueue].Name), Groups: map[int64]string{}}
	var names map[int64]string
	if h != nil {
		names = h.NamesOf(c.Column)
	}
	matched := map[int64]string{} // classes by patterns
	for _, n := range named {
		if column := cmp.Or(n.Column, columns[ColQueue].Name); column != c.Column {
			return c, fault(fmt.Sprintf("class %s of %s, class %s of %s", named[0].Name, c.Column, n.Name, column), "classes of one column")
		}
		for _, v := range n.Values {
			id, err := strconv.ParseInt(v, 10, 64)
			exact, found := []int64{id}, err == nil
			if !found {
				exact = nil
				for id, name := range names {
					match, _ := path.Match(v, name)
					if name == v {
						exact = append(exact, id)
					} else if match && matched[id] == "" {
						matched[id] = n.Name
					}
					found = found || match || name == v
				}
			}
			for _, id := range exact {
				if first := c.Groups[id]; first != "" && first != n.Name {
					return c, fault(fmt.Sprintf("%s %d in class %s and in class %s", c.Column, id, first, n.Name), "each value in one class")
				}
				c.Groups[id] = n.Name
			}
			if !found && h != nil {
				return c, fault(fmt.Sprintf("%s=%s: the header names no such %s", n.Name, v, FindColumn(c.Column).Words[0]), "a number"+offered(names))
			}
		}
	}
	for id, name := range matched {
		if c.Groups[id] == "" {
			c.Groups[id] = name
		}
	}
	return c, nil
}

// offered returns the end of a message that lists up to 12 names, or "" if there are none.
func offered(names map[int64]string) string {
	if len(names) == 0 {
		return ""
	}
	all := slices.Sorted(maps.Values(names))
	const most = 12
	if len(all) > most {
		all = append(all[:most], "...")
	}
	return ", or one of " + strings.Join(all, ", ")
}
