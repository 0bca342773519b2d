package present

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
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
		head, rows := s.cells(CSV[T])
		err = writeCSV(b, head, rows)
	default:
		err = s.writeTable(b)
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// cells are the heading and the rows of a table that is made row by row.
func (s Stream[T]) cells(table func([]Column[T], []T) Table) (head []string, rows iter.Seq[[]string]) {
	return table(s.Columns, nil).printable().Head, func(yield func([]string) bool) {
		for row := range s.Rows {
			if !yield(table(s.Columns, []T{row}).printable().Rows[0]) {
				return
			}
		}
	}
}

func (s Stream[T]) writeTable(w io.Writer) error {
	head, rows := s.cells(People[T])
	a := alignmentOf(head)
	for row := range rows {
		a.see(row)
	}
	if _, err := io.WriteString(w, a.line(head)); err != nil {
		return err
	}
	for row := range rows {
		if _, err := io.WriteString(w, a.line(row)); err != nil {
			return err
		}
	}
	return nil
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
