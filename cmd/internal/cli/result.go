package cli

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/workload"
)

// result is what a command found, in the three forms it can be had in.
type result struct {
	text func(w io.Writer) error // a table for people
	json any                     // the stable form
	csv  table                   // the same values, one row each
}

// table is rows of text under a heading.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// writeTo aligns the columns; those of numbers go to the right.
func (t *table) writeTo(w io.Writer) error {
	t = t.printable()
	widths := make([]int, len(t.head))
	numeric := make([]bool, len(t.head))
	for c, name := range t.head {
		widths[c], numeric[c] = utf8.RuneCountInString(name), true
		for _, row := range t.rows {
			widths[c] = max(widths[c], utf8.RuneCountInString(row[c]))
			numeric[c] = numeric[c] && isNumber(row[c])
		}
	}
	var out strings.Builder
	for _, row := range append([][]string{t.head}, t.rows...) {
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

// without is a table without a column in which every row is empty.
func (t table) without(column, empty string) table {
	for c, name := range t.head {
		if name != column {
			continue
		}
		for _, row := range t.rows {
			if row[c] != empty {
				return t
			}
		}
		out := table{head: append(append([]string{}, t.head[:c]...), t.head[c+1:]...)}
		for _, row := range t.rows {
			out.add(append(append([]string{}, row[:c]...), row[c+1:]...)...)
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

func (t *table) writeCSV(w io.Writer) error {
	cw := csv.NewWriter(w)
	t = t.printable()
	if err := cw.Write(t.head); err != nil {
		return err
	}
	cells := make([]string, 0, len(t.head))
	for _, row := range t.rows {
		cells = cells[:0]
		for _, cell := range row {
			cells = append(cells, workload.SpreadsheetText(cell))
		}
		if err := cw.Write(cells); err != nil {
			return err
		}
	}
	cw.Flush()
	return cw.Error()
}

// printable is the table with every cell as it may be shown, on one line.
func (t *table) printable() *table {
	out := &table{}
	for _, row := range append([][]string{t.head}, t.rows...) {
		cells := make([]string, len(row))
		for c, cell := range row {
			cells[c] = printable.Text(cell)
		}
		out.rows = append(out.rows, cells)
	}
	out.head, out.rows = out.rows[0], out.rows[1:]
	return out
}

// number is a float64 that has no meaning where it is NaN or infinite, and is
// null in JSON then.
type number float64

func (n number) MarshalJSON() ([]byte, error) {
	x := float64(n)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return []byte("null"), nil
	}
	return json.Marshal(x)
}

// text writes it in full, for CSV; empty where it has no meaning.
func (n number) text() string {
	x := float64(n)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// sig writes a number for people: whole numbers as they are, others with
// four significant digits, no exponent where that is readable, "-" where it has no meaning.
func sig(x float64) string {
	switch ax := math.Abs(x); {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "-"
	case ax < 1e15 && x == math.Trunc(x):
		return strconv.FormatFloat(x, 'f', -1, 64)
	case ax >= 1e9 || ax < 1e-4:
		return strconv.FormatFloat(x, 'e', 3, 64)
	case ax >= 1000:
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	default:
		digits := 3 - int(math.Floor(math.Log10(ax)))
		return strconv.FormatFloat(x, 'f', digits, 64)
	}
}

// fixed writes a number with a fixed number of decimals, "-" where it has no
// meaning, and as sig does from 1e15 on: no float64 there has decimals.
func fixed(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	if math.Abs(x) >= 1e15 {
		return sig(x)
	}
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.HasPrefix(s, "-") && strings.Trim(s, "-0.") == "" {
		return s[1:] // no minus before a rounded zero
	}
	return s
}

// percent writes a share in per cent with one decimal.
func percent(x float64) string {
	if s := fixed(x, 1); s != "-" {
		return s + "%"
	}
	return "-"
}

// plural is the word that goes with n things.
func plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// logJSON is workload.Summary.
type logJSON = workload.Summary

func duration(seconds float64) string { return present.Duration(seconds) }
