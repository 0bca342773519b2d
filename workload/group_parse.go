package workload

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Words of a way of sorting jobs beside those of columns.
const (
	AllJobs    = "all"   // one class
	KindWord   = "kind"  // interactive and batch jobs, as FindKinds has them
	MonthWord  = "month" // calendar months of the submission
	NamedWord  = "class" // the NamedClass values that were given
	eachValue  = "each"  // behind an amount: a class for each value
	doubling   = "x2"    // behind an amount: ranges from a power of two to the next
	rangesMark = ":"
)

// Grouping says how ParseClasses reads words.
type Grouping struct {
	Submitted bool // only columns that are known at submission
	Each      bool // an amount without ranges has a class for each value; else powers of two
	// Measured adds the columns that no model is made of classes by: what is
	// measured, and the number of the preceding job, and the months of the submissions.
	Measured bool
	// Plain leaves out the words "kind" and "class", which need a header.
	Plain bool
	// Named is what the word "class" stands for, and Header has the names of
	// its values and of the kinds of jobs. A nil Header is for checks before a
	// log is open: names of values are not looked up then.
	Named  []NamedClass
	Header *Header
}

// Words lists the words that ParseClasses takes, each column by its first word.
func (g Grouping) Words() []string {
	words := []string{AllJobs}
	for _, name := range g.columns() {
		words = append(words, FindColumn(name).Words[0])
	}
	if g.Plain {
		return words
	}
	words = append(words, KindWord, NamedWord)
	if g.Measured {
		words = append(words, MonthWord)
	}
	return words
}

// columns are the names of those whose words ParseClasses takes.
func (g Grouping) columns() []string {
	names := ClassColumns(g.Submitted)
	if g.Measured {
		for i := range columns {
			if c := &columns[i]; i != ColJobID && !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// Help returns a sentence that suggests words similar to text, or lists all words if none
// is similar.
func (g Grouping) Help(text string) string {
	if near := g.near(strings.ToLower(text)); len(near) > 0 {
		return "a column (did you mean " + strings.Join(near, " or ") + "?)"
	}
	return "one or more of " + strings.Join(g.Words(), ", ") + "; an amount can have ranges, such as size:4:16:64"
}

// SplitList splits a text at its commas, except those in parentheses: "es(alpha=0.3),last".
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

// SplitClasses splits words for ParseClasses, separated by commas or plus signs.
func SplitClasses(text string) []string {
	return SplitList(strings.ReplaceAll(text, "+", ","))
}

// ClassesBy is ClassesOf for an option "by": the words as a text, what "class" in
// them stands for, and the log's header, nil for a check before there is a log. A fault
// is a *OptionError of that name.
func (g Grouping) ClassesBy(by string, named []NamedClass, h *Header) (*Classifier, error) {
	g.Named, g.Header = named, h
	c, err := ClassesOf(SplitClasses(by), g)
	return c, OptionNamed("by", err)
}

// ParseClasses reads the words of a way of sorting jobs into classes: columns,
// each by its name or one of its words, whose cross product makes the classes;
// "all" for one class, as no words are; "kind"; or "class". An amount can have
// the upper ends of its ranges behind it, "size:4:16:64" or "time:1h:6h", or
// "size:each" or "size:x2". An error is an *OptionError.
func ParseClasses(words []string, g Grouping) ([]ClassColumn, error) {
	if len(words) == 1 && words[0] == AllJobs {
		return nil, nil
	}
	if len(words) > MostClassColumns {
		return nil, &OptionError{"classes", fmt.Sprintf("%d columns", len(words)), fmt.Sprintf("at most %d", MostClassColumns)}
	}
	var columns []ClassColumn
	for _, word := range words {
		c, err := g.column(strings.TrimSpace(word))
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(columns, func(b ClassColumn) bool { return b.Column == c.Column }) {
			return nil, &OptionError{"classes", strconv.Quote(word) + " twice", "each column once"}
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// ClassesOf returns the classifier of words: ParseClasses followed by NewClassifier.
func ClassesOf(words []string, g Grouping) (*Classifier, error) {
	by, err := ParseClasses(words, g)
	if err != nil {
		return nil, err
	}
	return NewClassifier(by)
}

// column reads one word.
func (g Grouping) column(text string) (ClassColumn, error) {
	word, ranges, ranged := strings.Cut(text, rangesMark)
	switch {
	case text == KindWord && !g.Plain:
		return g.kinds()
	case text == NamedWord && !g.Plain:
		return namedColumn(g.Named, g.Header)
	case text == MonthWord && g.Measured:
		return g.months(), nil
	}
	column := FindColumn(word)
	if column == nil || !slices.Contains(g.columns(), column.Name) {
		return ClassColumn{}, &OptionError{"classes", strconv.Quote(text), g.Help(word)}
	}
	c := ClassColumn{Column: column.Name}
	switch {
	case ranged && !column.ranged():
		return c, &OptionError{"classes", strconv.Quote(text), "ranges behind amounts only: numbers of " + column.Words[0] + " are names"}
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
		x, err := parseEdge(edge, column.Unit == "s")
		if err != nil || x < 0 || len(c.Edges) > 0 && !(x > c.Edges[len(c.Edges)-1]) {
			return c, &OptionError{"classes", strconv.Quote(text), "ascending numbers of 0 or more, the upper ends of ranges, such as size:4:16:64 or time:1h:6h; or size:" + eachValue + " or size:" + doubling}
		}
		c.Edges = append(c.Edges, x)
	}
	return c, nil
}

// months are the calendar months of the submission, on the clock of the header.
func (g Grouping) months() ClassColumn {
	clock := Clock{}
	if g.Header != nil {
		clock, _ = g.Header.Clock()
	}
	return ClassColumn{Column: FindColumn("submit").Name, Months: &clock}
}

// parseEdge reads the end of a range; a time may have a unit.
func parseEdge(text string, seconds bool) (float64, error) {
	unit := 1.0
	if n := len(text); seconds && n > 1 {
		if u, ok := map[byte]float64{'s': 1, 'm': 60, 'h': 3600, 'd': 86400, 'w': 7 * 86400}[text[n-1]]; ok {
			text, unit = text[:n-1], u
		}
	}
	x, err := strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(x*unit) || math.IsInf(x*unit, 0)) {
		err = strconv.ErrRange
	}
	return x * unit, err
}

// NormalClassWords returns the words with the full name of each column, as options and
// results have them. The error is that of ParseClasses.
func NormalClassWords(words []string, g Grouping) ([]string, error) {
	g.Header = nil
	columns, err := ParseClasses(words, g)
	if err != nil {
		return nil, err
	}
	normal := slices.Clone(words)
	for i, c := range columns {
		if word, ranges, ranged := strings.Cut(words[i], rangesMark); !slices.Contains([]string{KindWord, NamedWord, MonthWord}, word) {
			normal[i] = c.Column
			if ranged {
				normal[i] += rangesMark + ranges
			}
		}
	}
	return normal, nil
}
