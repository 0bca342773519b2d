package page

import (
	"html/template"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Page is a report.
type Page struct {
	Title    string
	About    string        // the subject, in one line
	Key      template.HTML // the most important facts: pairs of dt and dd, each in a div
	Sections []Section
}

// Section is a section of a Page.
type Section struct {
	ID    string // id attribute of its heading: letters, digits and dashes
	Title string
	About string        // description of the content, in a sentence or two
	Table *Table        // before the body; nil for none
	Body  template.HTML // as returned by the function Body
	// Folded reports whether the section is collapsed until the reader opens it.
	Folded bool
	// Group is a heading above this section, for it and the sections that follow; "" for none.
	Group string
}

// Table is a table whose rows have as many cells as its head. The first cell of a row
// is its name.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]string
	// Folded reports whether the table is collapsed until the reader clicks on Caption.
	Folded bool
}

// Long reports whether a column has a cell of more than 28 bytes.
func (t *Table) Long(column int) bool {
	return slices.ContainsFunc(t.Rows, func(row []string) bool { return len(row[column]) > 28 })
}

// Stacked reports whether the table is too wide for a phone, which then stacks the cells of a
// row, each with its heading.
func (t *Table) Stacked() bool {
	wide := 0 // width of the parts that are not broken across lines, in characters
	for k := range t.Head {
		column := 0
		for _, row := range t.Rows {
			column = max(column, unbroken(row[k]))
		}
		wide += column
	}
	return len(t.Head) > mostBeside || wide > mostAcross
}

// mostBeside is the largest number of columns shown side by side on a phone, and mostAcross the
// largest number of characters in a row. A digit of a wide font takes .64 em at 14 pixels to the
// em, and margins leave 315 of 375 pixels.
const mostBeside, mostAcross = 4, 35

// unbroken returns the length in characters of the longest part of a cell that is not broken
// across lines.
func unbroken(text string) (most int) {
	if number.MatchString(text) {
		return utf8.RuneCountInString(text)
	}
	for _, part := range append(whole.FindAllString(text, -1), strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' })...) {
		most = max(most, utf8.RuneCountInString(part))
	}
	return most
}

// number matches a number with an optional unit, remark in brackets, or asterisk.
var number = regexp.MustCompile(`^[-+]?\d[\d.,]*(e[-+]?\d+)?\*?( ?(%|s|min|h|d))?( \([^)]*\))?( \*)?$`)

// Numeric reports whether a column holds only numbers, apart from dashes and empty cells.
// Such a column is aligned to the right.
func (t *Table) Numeric(column int) bool {
	some := false
	for _, row := range t.Rows {
		isNumber := number.MatchString(row[column])
		if !isNumber && row[column] != "-" && row[column] != "" {
			return false
		}
		some = some || isNumber
	}
	return some
}

// Figure is a picture with its text and its numbers.
type Figure struct {
	ID      string // as Section.ID
	Caption string
	Alt     string // text alternative to the picture
	SVG     []byte // the picture, shown in print and where scripts do not run
	Chart   []byte // the picture as JSON for chart.js; nil for none
	Table   *Table // its numbers
	Wide    bool   // whether it takes the whole width
}

// File is a file embedded in the page that the reader can save.
type File struct {
	Name string
	Kind string // its media type
	Data []byte
}
