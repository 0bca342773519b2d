package workload

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
)

// TableKind is the kind of values in a column of a Table.
type TableKind uint8

const (
	TableWhole TableKind = iota
	TableNumber
	TableText
	TableTime      // times: seconds since 1970
	TableLocalTime // local times in an unknown time zone: seconds since 1970, as if it were UTC
)

func (k TableKind) String() string {
	return [...]string{"whole numbers", "numbers", "texts", "times", "times without a time zone"}[k]
}

// IsTime reports whether the values are times, with or without a time zone.
func (k TableKind) IsTime() bool { return k == TableTime || k == TableLocalTime }

// FileColumn describes a column of a file.
type FileColumn struct {
	Name   string
	Kind   TableKind // kind of its values, if it can be read
	Type   string    // description, if it cannot be read: "a list or structure"
	Nested bool      // it cannot be read
	Empty  bool      // no row has a value
}

// TableColumn is a column to read from a table that does not hold jobs but, for example,
// predictions.
type TableColumn struct {
	Name     string
	Kind     TableKind
	Optional bool // the file may lack it
}

// Table yields the rows of a table that does not hold jobs, a batch at a time, in the order
// of the file. Rows are valid until the next iteration. An error is the last thing that it
// yields.
type Table = iter.Seq2[*TableRows, error]

// TableRows is a batch of rows, with the columns in the order in which they were requested.
type TableRows struct {
	File    string
	Rows    int
	Columns []TableValues

	Line func(row int) int64 // line of a row, from 1; nil if the format has no lines
	Row  int64               // number in the table, from 1, of the first row
}

// TableValues holds the values of a column, in the slice for its kind. All slices are nil if the
// file lacks the column. Unknown values are Unknown, NaN or "". Texts share memory: clone those
// that you keep.
type TableValues struct {
	Whole  []int64
	Number []float64 // times, too: seconds since 1970

	// Spans are the positions of the texts in Piece. Unlike strings, they contain no pointers
	// for the garbage collector to follow.
	Spans []Span
	Piece string

	// Odd maps the first row in which a number is unknown or infinite to the text in the file.
	Odd map[int]string
}

// SawNumber returns a description of a number's text in the file, for messages.
func (r *TableRows) SawNumber(row, column int) string {
	v := r.Columns[column]
	x := v.Number[row]
	text, ok := v.Odd[row]
	switch {
	case ok && text == "" || !ok && math.IsNaN(x):
		return "nothing"
	case ok:
		return Shorten([]byte(text))
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Span is the part of a text from byte From up to byte To.
type Span struct{ From, To uint32 }

// HasText reports whether the column has texts.
func (v *TableValues) HasText() bool { return v.Spans != nil }

// TextAt returns the text in a row. The column must have texts.
func (v *TableValues) TextAt(row int) string {
	s := v.Spans[row]
	return v.Piece[s.From:s.To]
}

// Fault returns the error for a value in a row.
func (r *TableRows) Fault(row int, field, saw, want string) *InputError {
	e := &InputError{File: r.File, Field: field, Saw: saw, Want: want}
	if r.Line != nil {
		e.Line = r.Line(row)
	} else {
		e.Field = fmt.Sprintf("row %d: %s", r.Row+int64(row), field)
	}
	return e
}

// At returns the line of a row, or its number from 1 if the format has no lines.
func (r *TableRows) At(row int) int64 {
	if r.Line != nil {
		return r.Line(row)
	}
	return r.Row + int64(row)
}

// FindTableColumns returns the index of each column in names, the names of a file's columns, or
// -1 for an optional column that is not there. Case is ignored, unless a name matches exactly.
// The error, which does not name the file, is for a name that occurs twice or a column that is
// missing and not optional.
func FindTableColumns(columns []TableColumn, names []string) ([]int, *InputError) {
	at := make([]int, len(columns))
	for i, c := range columns {
		at[i] = -1
		isSame := slices.ContainsFunc(names, func(name string) bool { return strings.TrimSpace(name) == c.Name })
		for k, name := range names {
			switch name = strings.TrimSpace(name); {
			case !strings.EqualFold(name, c.Name) || isSame && name != c.Name:
			case at[i] >= 0:
				return nil, &InputError{Field: "columns", Saw: fmt.Sprintf("%q twice", c.Name), Want: "each column once"}
			default:
				at[i] = k
			}
		}
		if at[i] < 0 && !c.Optional {
			return nil, &InputError{Field: "columns", Saw: Shorten([]byte(strings.Join(names, ", "))), Want: fmt.Sprintf("one with the name %q", c.Name)}
		}
	}
	return at, nil
}
