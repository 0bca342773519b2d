package present

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Stream is a Listing of rows that are too many to be in memory: each is made when it is
// written. Columns have no units.
type Stream[T any] struct {
	JSON    any // a struct whose last field is the rows, nil
	Columns []Column[T]
	Rows    iter.Seq[T] // which is read twice for a table
}

// Write writes the bytes that Result.Write would write of a Listing.
func (s Stream[T]) Write(w io.Writer, format string) error {
	b := bufio.NewWriter(w)
	var err error
	switch format {
	case "json":
		err = s.writeJSON(b)
	case "csv":
		err = s.writeCSV(b)
	default:
		err = s.writeTable(b)
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

func (s Stream[T]) writeTable(w io.Writer) error {
	cells := func(row []T) [][]string {
		t := People(s.Columns, row).printable()
		return append([][]string{t.Head}, t.Rows...)
	}
	head := cells(nil)[0]
	a := alignmentOf(head)
	for row := range s.Rows {
		a.see(cells([]T{row})[1])
	}
	if _, err := io.WriteString(w, a.line(head)); err != nil {
		return err
	}
	for row := range s.Rows {
		if _, err := io.WriteString(w, a.line(cells([]T{row})[1])); err != nil {
			return err
		}
	}
	return nil
}

func (s Stream[T]) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(CSV(s.Columns, nil).printable().Head); err != nil {
		return err
	}
	for row := range s.Rows {
		cells := CSV(s.Columns, []T{row}).printable().Rows[0]
		for c, cell := range cells {
			cells[c] = workload.SpreadsheetText(cell)
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (s Stream[T]) writeJSON(w io.Writer) error {
	head, err := indented(s.JSON, "")
	if err != nil {
		return err
	}
	head, ok := bytes.CutSuffix(head, []byte("null\n}"))
	if !ok {
		panic(fmt.Sprintf("present: the last field of %T is not nil rows", s.JSON))
	}
	if _, err := w.Write(append(head, '[')); err != nil {
		return err
	}
	separator := ""
	for row := range s.Rows {
		text, err := indented(row, "    ")
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s\n    %s", separator, text); err != nil {
			return err
		}
		separator = ","
	}
	_, err = io.WriteString(w, "\n  ]\n}\n")
	return err
}

// indented is a value as JSON, without the break of its last line.
func indented(value any, prefix string) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetIndent(prefix, "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return printable.JSON(bytes.TrimSuffix(text.Bytes(), []byte{'\n'})), nil
}
