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
	About    string        // what it is of, in a line
	Key      template.HTML // pairs of dt and dd, each in a div: what is worth knowing first
	Sections []Section
}

// Section is one subject.
type Section struct {
	ID    string // of its heading: letters, digits and dashes
	Title string
	About string        // what the section shows, in a sentence or two
	Table *Table        // before the body; nil for none
	Body  template.HTML // as Body makes it
	// Folded says that the section opens on demand.
	Folded bool
	// Group is a heading above the section, of it and those that follow; "" for none.
	Group string
}

// Table has as many cells in each row as in its head; the first is the row's
// name.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]string
	// Folded says that the table opens on demand; Caption is then what is
	// clicked on.
	Folded bool
}

// Long says whether a column has long words.
func (t *Table) Long(column int) bool {
	return slices.ContainsFunc(t.Rows, func(row []string) bool { return len(row[column]) > 28 })
}

// Stacked reports whether the table is wider than a phone, which then shows the cells of a
// row one below the other, each under its heading.
func (t *Table) Stacked() bool {
	wide := 0 // in characters, of what no line ends in
	for k := range t.Head {
		column := 0
		for _, row := range t.Rows {
			column = max(column, unbroken(row[k]))
		}
		wide += column
	}
	return len(t.Head) > mostBeside || wide > mostAcross
}

// mostBeside is how many columns stand side by side on a phone. mostAcross is how many
// characters they have: of .64 em, as figures are in wide fonts, on the 315 pixels of 375
// that margins leave, at 14 pixels to the em.
const mostBeside, mostAcross = 4, 35

// unbroken is the length in characters of the longest part of a cell that stays on a line.
func unbroken(text string) (most int) {
	if number.MatchString(text) {
		return utf8.RuneCountInString(text)
	}
	for _, part := range append(whole.FindAllString(text, -1), strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' })...) {
		most = max(most, utf8.RuneCountInString(part))
	}
	return most
}

// number is a number, with its unit or with what is said of it in brackets.
var number = regexp.MustCompile(`^[-+]?\d[\d.,]*(e[-+]?\d+)?\*?( ?(%|s|min|h|d))?( \([^)]*\))?( \*)?$`)

// Numeric says whether a column has numbers and nothing else, but for dashes:
// such stand right.
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
	Alt     string // what the picture shows, for those who cannot see it
	SVG     []byte // a file, which is shown where scripts do not run, and in print
	Chart   []byte // the same as JSON that chart.js reads; nil for none
	Table   *Table // its numbers
	Wide    bool   // takes the whole width
}

// File is a file within the page that can be saved.
type File struct {
	Name string
	Kind string // its media type
	Data []byte
}
