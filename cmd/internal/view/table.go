// Package view makes every form of a result from what its types declare (package field):
// tables for people, CSV for programs, the schema of its JSON.
package view

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/field"
)

// CSV returns rows for programs, those of the lists in them included. Lists of several types
// share the columns of the same name.
func CSV(lists ...any) present.Table {
	var t present.Table
	place := map[string]int{}
	for _, list := range lists {
		fields, _ := field.Rows(list)
		for _, f := range fields {
			if _, known := place[f.Name]; !known && f.Name != "" {
				place[f.Name] = len(t.Head)
				t.Head = append(t.Head, f.Name)
			}
		}
	}
	for _, list := range lists {
		fields, rows := field.Rows(list)
		for _, row := range rows {
			cells := make([]string, len(t.Head))
			for _, f := range fields {
				if f.Name != "" {
					cells[place[f.Name]] = f.Text(row)
				}
			}
			t.Add(cells...)
		}
	}
	return t
}

// People are rows for people: a column for each field with a heading.
type People[T any] struct {
	list    []T
	columns []column
}

// column is a column of a table for people.
type column struct {
	heading string
	cells   []string
	narrow  int
}

// For returns the columns that rows declare.
func For[T any](list []T) *People[T] {
	p := &People[T]{list: list}
	fields, rows := field.Rows(list)
	for _, f := range fields {
		if f.Heading != "" {
			p.columns = append(p.columns, column{f.Heading, texts(f, rows), f.Narrow})
		}
	}
	return p
}

// Cell is a column for people that no field of the row is.
type Cell[T any] struct {
	After   string // the heading that it stands behind; "" for the last
	Heading string
	Narrow  int // as the tag
	Text    func(T) string
}

// With adds a column. Rows of lists in the rows have no such columns.
func (p *People[T]) With(c Cell[T]) *People[T] {
	place := p.place(c.After) + 1
	if place == 0 {
		place = len(p.columns)
	}
	made := column{heading: c.Heading, narrow: c.Narrow}
	for _, row := range p.list {
		made.cells = append(made.cells, c.Text(row))
	}
	p.columns = slices.Insert(p.columns, place, made)
	return p
}

// Without leaves out columns.
func (p *People[T]) Without(headings ...string) *People[T] {
	p.columns = slices.DeleteFunc(p.columns, func(c column) bool { return slices.Contains(headings, c.heading) })
	return p
}

func (p *People[T]) place(heading string) int {
	return slices.IndexFunc(p.columns, func(c column) bool { return c.heading == heading })
}

// Table returns the table. A column that no row fills is left out, and where the table is
// too wide, those that give way.
func (p *People[T]) Table() present.Table {
	var t present.Table
	var narrow []column
	for _, c := range p.columns {
		if len(p.list) > 0 && !slices.ContainsFunc(c.cells, func(text string) bool { return text != "-" && text != "" }) {
			continue
		}
		t.Head = append(t.Head, c.heading)
		t.Rows = append(t.Rows, make([][]string, len(c.cells)-len(t.Rows))...)
		for i, text := range c.cells {
			t.Rows[i] = append(t.Rows[i], cmp.Or(text, "-"))
		}
		if c.narrow > 0 {
			narrow = append(narrow, c)
		}
	}
	slices.SortStableFunc(narrow, func(a, b column) int { return cmp.Compare(a.narrow, b.narrow) })
	for _, c := range narrow {
		t = t.Narrowed(c.heading)
	}
	return t
}

// texts writes a column for people as the verb of its field says:
//
//	%.4f            so many decimals
//	%               a number of per cent
//	share           a share of 1, in per cent
//	s, min, h       a time in this unit: the whole column is in the one that suits its values
//	duration        seconds, each in the unit that suits it
//	full            all digits
//
// and numbers without a verb with four significant digits.
func texts(f field.Field, rows []field.Row) []string {
	unit := timeUnits[f.Verb]
	var times []float64
	for _, row := range rows {
		times = append(times, f.Number(row)*unit)
	}
	in := present.TimeUnitOf(times...)
	all := make([]string, len(rows))
	for i, row := range rows {
		if f.Omitted(row) {
			continue
		}
		if v := f.Value(row); !v.CanFloat() {
			all[i] = f.Text(row)
		} else if unit > 0 {
			all[i] = in.Write(times[i])
		} else {
			all[i] = short(v, f.Verb)
		}
	}
	return all
}

// timeUnits are the units of times, in seconds.
var timeUnits = map[string]float64{"s": 1, "min": 60, "h": 3600}

// short writes one number.
func short(v reflect.Value, verb string) string {
	x := v.Float()
	switch verb {
	case "":
		return present.Sig(x)
	case "%":
		return present.Percent(x)
	case "share":
		return present.Percent(100 * x)
	case "duration":
		return present.Duration(x)
	case "full":
		return present.Full(x)
	}
	decimals, err := strconv.Atoi(strings.Trim(verb, "%.f"))
	if err != nil {
		panic(fmt.Sprintf("view: unknown verb %q", verb))
	}
	return present.Fixed(x, decimals)
}
