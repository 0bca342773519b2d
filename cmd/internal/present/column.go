package present

import (
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Column is one column of rows of type T. One without a Name is for people
// alone, one without a Heading for programs alone.
type Column[T any] struct {
	Name    string // in CSV and in conditions; as in JSON, with its unit
	Heading string // in the table for people
	exact   func(T) string
	short   func(T) string  // nil: exact
	number  func(T) float64 // nil: not a number
	unit    float64         // of number in seconds; 0: not a time
}

// Text returns a column of words.
func Text[T any](name, heading string, of func(T) string) Column[T] {
	return Column[T]{Name: name, Heading: heading, exact: of}
}

// Count returns a column of whole numbers.
func Count[T any, N ~int | ~int64](name, heading string, of func(T) N) Column[T] {
	return Column[T]{Name: name, Heading: heading,
		exact:  func(row T) string { return strconv.FormatInt(int64(of(row)), 10) },
		number: func(row T) float64 { return float64(of(row)) },
	}
}

// Integer returns a column of whole numbers that may be unknown; empty where
// they are.
func Integer[T any](name, heading string, of func(T) workload.Integer) Column[T] {
	return Column[T]{Name: name, Heading: heading,
		exact: func(row T) string {
			if n := of(row); n.Known() {
				return strconv.FormatInt(int64(n), 10)
			}
			return ""
		},
		number: func(row T) float64 {
			if n := of(row); n.Known() {
				return float64(n)
			}
			return math.NaN()
		},
	}
}

// Float returns a column of numbers, which short writes for people and CSV has
// in full; empty where there is no value.
func Float[T any](name, heading string, of func(T) stats.Number, short func(float64) string) Column[T] {
	c := Column[T]{Name: name, Heading: heading,
		exact:  func(row T) string { return Full(float64(of(row))) },
		number: func(row T) float64 { return float64(of(row)) },
	}
	if short != nil {
		c.short = func(row T) string { return short(float64(of(row))) }
	}
	return c
}

// Time returns a column of times, of which 1 is unit seconds. CSV has them in full;
// people read a whole column in the one unit that suits its values (TimeUnitOf).
func Time[T any](name, heading string, of func(T) stats.Number, unit float64) Column[T] {
	c := Float(name, heading, of, nil)
	c.unit = unit
	return c
}

// Of returns the column for rows that have such a row as a part.
func Of[U, T any](c Column[T], part func(U) T) Column[U] {
	out := Column[U]{Name: c.Name, Heading: c.Heading, exact: func(row U) string { return c.exact(part(row)) }, unit: c.unit}
	if c.short != nil {
		out.short = func(row U) string { return c.short(part(row)) }
	}
	if c.number != nil {
		out.number = func(row U) float64 { return c.number(part(row)) }
	}
	return out
}

// People returns the table for people.
func People[T any](columns []Column[T], rows []T) Table {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c Column[T]) bool { return c.Heading == "" })
	for i, c := range columns {
		if c.unit == 0 {
			continue
		}
		seconds := func(row T) float64 { return c.unit * c.number(row) }
		var all []float64
		for _, row := range rows {
			all = append(all, seconds(row))
		}
		in := TimeUnitOf(all...)
		columns[i].short = func(row T) string { return in.Write(seconds(row)) }
	}
	return table(columns, rows, func(c Column[T]) string { return c.Heading }, func(c Column[T], row T) string {
		if c.short != nil {
			return c.short(row)
		}
		return c.exact(row)
	})
}

// CSV returns the table for programs.
func CSV[T any](columns []Column[T], rows []T) Table {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c Column[T]) bool { return c.Name == "" })
	return table(columns, rows, func(c Column[T]) string { return c.Name }, func(c Column[T], row T) string { return c.exact(row) })
}

func table[T any](columns []Column[T], rows []T, head func(Column[T]) string, cell func(Column[T], T) string) Table {
	var t Table
	for _, c := range columns {
		t.Head = append(t.Head, head(c))
	}
	for _, row := range rows {
		var cells []string
		for _, c := range columns {
			cells = append(cells, cell(c, row))
		}
		t.Add(cells...)
	}
	return t
}

// Value returns the number that a row has in the column of a name; false where
// there is no such column of numbers.
func Value[T any](columns []Column[T], name string, row T) (float64, bool) {
	for _, c := range columns {
		if c.Name == name && c.number != nil {
			return c.number(row), true
		}
	}
	return 0, false
}
