package page

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Page is a report.
type Page struct {
	Title    string
	About    string // what it is of, in a line
	Figures  []Fact // what is worth knowing first
	Sections []Section
}

// Section is one subject.
type Section struct {
	ID     string // of its heading: letters, digits and dashes
	Title  string
	About  string // what the section shows, in a sentence or two
	Blocks []Block
	// Folded says that the section opens on demand.
	Folded bool
	// Group is a heading above the section, of it and those that follow; "" for none.
	Group string
}

// Block is one of its fields; the others are nil.
type Block struct {
	Words  []string // paragraphs
	Remark *Remark
	Facts  []Fact
	Table  *Table
	Figure *Figure
	File   *File
	Shell  []string // commands
	List   []string
}

// Remark is a sentence that stands out: what is wrong, or why something is
// not here.
type Remark struct {
	Kind string // "warning", "missing" or "good"
	Text string
	Link string // the ID of the section with the details; "" for none
}

// Fact is a name and what it is.
type Fact struct {
	Name  string
	Value Cell
	More  string // a word on it
}

// Cell is a cell of a table: what is read, and the number behind it in full,
// where there is one.
type Cell struct {
	Text  string
	Value string // as encoding/json writes it; empty where the cell is no number
	Note  string // why a cell is empty, say
	// Spark is drawn as a small line before the text, which says what it shows; NaN
	// leaves a gap.
	Spark []float64
}

// Table has as many cells in each row as in its head; the first is the row's
// name.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]Cell
	// Folded says that the table opens on demand; Caption is then what is
	// clicked on.
	Folded bool
	Beside bool // stands beside a figure where there is room
}

// DropUnknown removes the columns, but the first, that have no value in any row.
func (t *Table) DropUnknown() {
	for k := len(t.Head) - 1; k > 0; k-- {
		if len(t.Rows) > 0 && !slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[k].Text != "–" }) {
			t.Head = slices.Delete(t.Head, k, k+1)
			for i := range t.Rows {
				t.Rows[i] = slices.Delete(t.Rows[i], k, k+1)
			}
		}
	}
}

// Long says whether a column has long words.
func (t *Table) Long(column int) bool {
	return slices.ContainsFunc(t.Rows, func(row []Cell) bool { return len(row[column].Text)+len(row[column].Note) > 28 })
}

// Stacked reports whether the table is wider than a phone, which then shows the cells of a
// row one below the other, each under its heading.
func (t *Table) Stacked() bool {
	wide := 0 // in characters, of what no line ends in
	for k := range t.Head {
		column := 0
		for _, row := range t.Rows {
			column = max(column, row[k].unbroken())
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
func (c *Cell) unbroken() (most int) {
	if c.Value != "" {
		return utf8.RuneCountInString(c.Text)
	}
	for _, part := range append(whole.FindAllString(c.Text, -1), strings.FieldsFunc(c.Text, func(r rune) bool { return r == ' ' || r == '-' })...) {
		most = max(most, utf8.RuneCountInString(part))
	}
	if c.Spark != nil {
		most += 8 // as its style has it
	}
	return most
}

// Numeric says whether a column has numbers and nothing else, but for dashes:
// such stand right.
func (t *Table) Numeric(column int) bool {
	some := false
	for _, row := range t.Rows {
		c := row[column]
		if c.Note != "" || c.Value == "" && c.Text != "–" && c.Text != "-" && c.Text != "" {
			return false
		}
		some = some || c.Value != ""
	}
	return some
}

// Figure is a picture with its text and its numbers.
type Figure struct {
	ID      string // as Section.ID
	Caption string
	Alt     string // what the picture shows, for those who cannot see it
	SVG     []byte // an element, as figure.Compact writes it
	Chart   []byte // the same as JSON that page.js reads, for a closer look; nil for none
	Table   *Table // its numbers
	Wide    bool   // takes the whole width
}

// File is a file within the page that can be saved.
type File struct {
	Name  string // of the file
	Label string // of the link
	Kind  string // its media type
	Data  []byte
}
