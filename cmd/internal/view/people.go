package view

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Listing is the result of rows alone.
func Listing[T any](result any, rows []T) Result {
	return Result{Text: func(w *Screen) { w.Table(For(rows).Table()) }, JSON: result, CSV: CSV(rows)}
}

// CSV returns rows for programs, those of the lists in them included. Lists of several types
// share the columns of the same name; so do a row and the rows in it.
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

// People are rows for people: a column for each field with a heading.
type People[T any] struct {
	list    []T
	columns []column
	grouped bool
}

// column is a column of a table for people.
type column struct {
	heading, group string
	cells          []string
	narrow         int
}

// For returns the columns that rows declare. The clock is that of moments.
func For[T any](list []T, clock ...workload.Clock) *People[T] {
	p := &People[T]{list: list}
	fields, rows := field.Rows(list, func(f field.Field) bool { return f.Heading != "" })
	for _, f := range fields {
		p.columns = append(p.columns, column{f.Heading, f.Group, texts(f, rows, clock), f.Narrow})
	}
	return p
}

// Cell is a column for people that no field of the row is.
type Cell[T any] struct {
	First   bool
	After   string // the heading that it stands behind; "" for the last
	Before  string // in place of After
	Heading string
	Narrow  int // as the tag
	Text    func(T) string
}

// With adds a column. It is for rows without lists of rows in them.
func (p *People[T]) With(c Cell[T]) *People[T] {
	place := len(p.columns)
	if c.First {
		place = 0
	} else if before := p.place(c.Before); before >= 0 {
		place = before
	} else if after := p.place(c.After); after >= 0 {
		place = after + 1
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

// Common takes out those of the columns in which all rows are the same, and returns what
// they say.
func (p *People[T]) Common(headings ...string) string {
	var said []string
	p.columns = slices.DeleteFunc(p.columns, func(c column) bool {
		same := slices.Contains(headings, c.heading) && len(slices.Compact(slices.Clone(c.cells))) == 1
		if same {
			said = append(said, c.heading+": "+c.cells[0])
		}
		return same
	})
	return strings.Join(said, "; ")
}

// Grouped lets the first of neighbours in a struct alone have the heading of the struct.
func (p *People[T]) Grouped() *People[T] {
	p.grouped = true
	return p
}

func (p *People[T]) place(heading string) int {
	return slices.IndexFunc(p.columns, func(c column) bool { return c.heading == heading })
}

// Table returns the table. A column that no row fills is left out, and where the table is
// too wide, those that give way.
func (p *People[T]) Table() Table {
	filled := slices.DeleteFunc(slices.Clone(p.columns), func(c column) bool {
		return len(p.list) > 0 && !slices.ContainsFunc(c.cells, func(text string) bool { return text != "-" && text != "" })
	})
	for {
		t := p.table(filled)
		next := -1
		for i, c := range filled {
			if c.narrow > 0 && (next < 0 || c.narrow < filled[next].narrow) {
				next = i
			}
		}
		if next < 0 || t.Width() <= MostColumns {
			return t
		}
		filled = slices.Delete(filled, next, next+1)
	}
}

func (p *People[T]) table(columns []column) Table {
	var t Table
	group := ""
	for _, c := range columns {
		heading := c.heading
		if p.grouped && c.group == group {
			heading = strings.TrimPrefix(heading, group+" ")
		}
		group = c.group
		t.Head = append(t.Head, heading)
		t.Rows = append(t.Rows, make([][]string, len(c.cells)-len(t.Rows))...)
		for i, text := range c.cells {
			t.Rows[i] = append(t.Rows[i], cmp.Or(text, "-"))
		}
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
//	span            seconds, in their largest whole unit
//	moment          a second of the log, by its clock
//	hours           processor seconds, in processor hours
//	full            all digits
//	count           how many a list has
//	wait            seconds, each in the unit that suits it, whole below a minute
//
// and numbers without a verb with four significant digits.
func texts(f field.Field, rows []field.Row, clock []workload.Clock) []string {
	unit := timeUnits[f.Verb]
	var times []float64
	for _, row := range rows {
		times = append(times, f.Number(row)*unit)
	}
	in := TimeUnitOf(times...)
	all := make([]string, len(rows))
	for i, row := range rows {
		switch v, x := f.Value(row), f.Number(row); {
		case f.Omitted(row):
		case f.Verb == "count":
			all[i] = strconv.Itoa(v.Len())
		case v.IsValid() && v.Kind() == reflect.Bool:
			all[i] = map[bool]string{true: "yes", false: "no"}[v.Bool()]
		case !v.CanFloat():
			all[i] = f.Text(row)
		case unit > 0:
			all[i] = in.Write(times[i])
		case !Known(x):
			all[i] = "-"
		case f.Verb == "moment":
			all[i] = Moment(clock[0], x)
		default:
			all[i] = short(x, f.Verb)
		}
	}
	return all
}

// timeUnits are the units of times, in seconds.
var timeUnits = map[string]float64{"s": 1, "min": 60, "h": 3600}

// short writes one number.
func short(x float64, verb string) string {
	switch verb {
	case "":
		return Sig(x)
	case "%":
		return Percent(x)
	case "share":
		return Percent(100 * x)
	case "duration":
		return Duration(x)
	case "span":
		return Span(x)
	case "hours":
		return Fixed(x/3600, 1)
	case "full":
		return Full(x)
	case "wait":
		return Wait(x)
	}
	decimals, err := strconv.Atoi(strings.Trim(verb, "%.f"))
	if err != nil {
		panic(fmt.Sprintf("view: unknown verb %q", verb))
	}
	return Fixed(x, decimals)
}
