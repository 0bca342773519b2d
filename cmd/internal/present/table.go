package present

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Table is rows of text under a heading.
type Table struct {
	Head []string
	Rows [][]string
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// WriteTable aligns the columns; those of numbers go to the right.
func (t *Table) WriteTable(w io.Writer) error {
	widths := make([]int, len(t.Head))
	numeric := make([]bool, len(t.Head))
	for c, name := range t.Head {
		widths[c], numeric[c] = utf8.RuneCountInString(name), true
		for _, row := range t.Rows {
			widths[c] = max(widths[c], utf8.RuneCountInString(row[c]))
			numeric[c] = numeric[c] && isNumber(row[c])
		}
	}
	var out strings.Builder
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		var line strings.Builder
		for c, cell := range row {
			if c > 0 {
				line.WriteString("  ")
			}
			pad := strings.Repeat(" ", widths[c]-utf8.RuneCountInString(cell))
			if numeric[c] {
				cell, pad = pad, cell
			}
			line.WriteString(cell + pad)
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// Without returns the table without a column in which every row is empty.
func (t Table) Without(column, empty string) Table {
	for c, name := range t.Head {
		if name != column {
			continue
		}
		for _, row := range t.Rows {
			if row[c] != empty {
				return t
			}
		}
		out := Table{Head: append(append([]string{}, t.Head[:c]...), t.Head[c+1:]...)}
		for _, row := range t.Rows {
			out.Add(append(append([]string{}, row[:c]...), row[c+1:]...)...)
		}
		return out
	}
	return t
}

func isNumber(s string) bool {
	if s == "" || s == "-" {
		return true
	}
	for _, unit := range []string{" s", " min"} {
		s = strings.TrimSuffix(s, unit)
	}
	_, err := strconv.ParseFloat(strings.TrimSuffix(strings.ReplaceAll(s, ",", ""), "%"), 64)
	return err == nil
}

// WriteCSV writes the table as comma-separated values.
func (t *Table) WriteCSV(w io.Writer) error {
	cw := csv.NewWriter(w)
	if err := cw.Write(t.Head); err != nil {
		return err
	}
	return cw.WriteAll(t.Rows)
}
