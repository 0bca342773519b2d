package view

import (
	"cmp"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Table is a table of text.
type Table struct {
	Head []string
	Rows [][]string
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// String returns the table with aligned columns. Columns of numbers are aligned to the right.
func (t Table) String() string {
	t = t.printable()
	a := alignmentOf(t.Head)
	for _, row := range t.Rows {
		a.see(row)
	}
	var out strings.Builder
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		out.WriteString(a.line(row))
	}
	return out.String()
}

// alignment holds the widths of columns, in characters, and whether they contain only numbers.
type alignment struct {
	widths  []int
	numeric []bool
}

func alignmentOf(head []string) *alignment {
	a := &alignment{make([]int, len(head)), make([]bool, len(head))}
	for c, name := range head {
		a.widths[c], a.numeric[c] = utf8.RuneCountInString(name), true
	}
	return a
}

// see widens the columns to fit a row.
func (a *alignment) see(row []string) {
	for c, cell := range row {
		a.widths[c] = max(a.widths[c], utf8.RuneCountInString(cell))
		a.numeric[c] = a.numeric[c] && isNumber(cell)
	}
}

// line returns a row as a line. The row must have been passed to see.
func (a *alignment) line(row []string) string {
	var line strings.Builder
	for c, cell := range row {
		if c > 0 {
			line.WriteString("  ")
		}
		pad := strings.Repeat(" ", a.widths[c]-utf8.RuneCountInString(cell))
		if a.numeric[c] {
			cell, pad = pad, cell
		}
		line.WriteString(cell + pad)
	}
	return strings.TrimRight(line.String(), " ") + "\n"
}

// Dropped returns the table without the column of a heading.
func (t Table) Dropped(column string) Table {
	c := slices.Index(t.Head, column)
	if c < 0 {
		return t
	}
	out := Table{Head: slices.Delete(slices.Clone(t.Head), c, c+1)}
	for _, row := range t.Rows {
		out.Add(slices.Delete(slices.Clone(row), c, c+1)...)
	}
	return out
}

// MostColumns is the width that a table for people should not exceed, in characters.
const MostColumns = 100

// Width returns the length of the longest line, in characters.
func (t Table) Width() int {
	longest := 0
	for line := range strings.Lines(t.String()) {
		longest = max(longest, utf8.RuneCountInString(line)-1)
	}
	return longest
}

// isNumber reports whether a cell is aligned to the right: a number, optionally with a unit of time
// or %, an unknown value, or a date, since such cells share columns with numbers.
func isNumber(s string) bool {
	if s == "" || s == "-" {
		return true
	}
	for _, layout := range []string{dayLayout, minuteLayout} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	for _, unit := range TimeUnits {
		s = strings.TrimSuffix(s, " "+unit.Symbol)
	}
	_, err := strconv.ParseFloat(strings.TrimSuffix(strings.ReplaceAll(s, ",", ""), "%"), 64)
	return err == nil
}

// writeCSV writes the table as comma-separated values. Text that a spreadsheet
// would interpret as a formula is escaped (workload.SpreadsheetText).
func (t Table) writeCSV(w io.Writer) error {
	t = t.printable()
	for _, row := range t.Rows {
		for i, cell := range row {
			row[i] = workload.SpreadsheetText(cell)
		}
	}
	cw := csv.NewWriter(w)
	if err := cw.Write(t.Head); err != nil {
		return err
	}
	return cw.WriteAll(t.Rows)
}

// printable returns the table with every cell made printable, on one line.
func (t Table) printable() Table {
	var out Table
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		cells := make([]string, len(row))
		for c, cell := range row {
			cells[c] = printable.Text(cell)
		}
		out.Rows = append(out.Rows, cells)
	}
	out.Head, out.Rows = out.Rows[0], out.Rows[1:]
	return out
}

// CSV returns the rows of lists for programs, including those of lists in rows. Rows of several
// types share columns of the same name; so do a row and the rows in it.
func CSV(lists ...any) Table {
	var t Table
	named := func(f field.Field) bool { return f.Name != "" }
	for _, list := range lists {
		fields, _ := field.Rows(list, named)
		for _, f := range fields {
			if !slices.Contains(t.Head, f.Name) {
				t.Head = append(t.Head, f.Name)
			}
		}
	}
	for _, list := range lists {
		fields, rows := field.Rows(list, named)
		for _, row := range rows {
			cells := make([]string, len(t.Head))
			for _, f := range fields {
				at := slices.Index(t.Head, f.Name)
				cells[at] = cmp.Or(f.Text(row), cells[at])
			}
			t.Add(cells...)
		}
	}
	return t
}
