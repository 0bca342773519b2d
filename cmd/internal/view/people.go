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

// People is a table for people: a column for each field with a heading, and columns added by
// methods. Methods that change it return it.
type People struct {
	rows    reflect.Value
	columns []column
	grouped bool
	most    int // largest number of rows shown; 0 for all
	width   int // width up to which no column is dropped
	prose   Prose
}

// column is a column of a table for people.
type column struct {
	heading, group string
	cells          []string
	narrow         int // order in which columns are dropped from wide tables; 0 for never
}

// For returns the columns that the rows of a list declare. The clock is needed for moments.
func For(list any, clock ...workload.Clock) *People {
	p := &People{rows: reflect.ValueOf(list), width: MostColumns}
	fields, rows := field.Rows(list, func(f field.Field) bool { return f.Heading != "" })
	for _, f := range fields {
		p.columns = append(p.columns, column{f.Heading, f.Group, texts(f, rows, clock), f.Narrow})
	}
	return p
}

// Cell is the data of the template of a column that is called with a further value, Of.
type Cell struct{ Row, Of any }

// Column adds a column whose cells are written by a template. The data of the template is the row
// or, if of is given, a Cell. place is as for With.
func (p *People) Column(place, heading, template string, of ...any) *People {
	return p.With(place, heading, func(i int) string {
		row := p.rows.Index(i).Interface()
		if len(of) > 0 {
			row = Cell{row, of[0]}
		}
		return p.prose.write(template, row)
	})
}

// With adds a column. place is "first", "last", or "before" or "after" and a heading; if there is
// no such heading, the column is last. It must not be used for rows that contain lists of rows.
func (p *People) With(place, heading string, text func(row int) string) *People {
	side, beside, _ := strings.Cut(place, " ")
	at := slices.IndexFunc(p.columns, func(c column) bool { return c.heading == beside })
	switch {
	case side == "first":
		at = 0
	case at < 0:
		at = len(p.columns)
	case side == "after":
		at++
	}
	made := column{heading: heading}
	for i := range p.rows.Len() {
		made.cells = append(made.cells, text(i))
	}
	p.columns = slices.Insert(p.columns, at, made)
	return p
}

// Without removes columns.
func (p *People) Without(headings ...string) *People {
	p.columns = slices.DeleteFunc(p.columns, func(c column) bool { return slices.Contains(headings, c.heading) })
	return p
}

// Only removes all other columns.
func (p *People) Only(headings ...string) *People {
	p.columns = slices.DeleteFunc(p.columns, func(c column) bool { return !slices.Contains(headings, c.heading) })
	return p
}

// Heading changes the heading of a column, given by its number from 0.
func (p *People) Heading(column int, text string) *People {
	p.columns[column].heading = text
	return p
}

// Labelled puts labels before the cells of the first column.
func (p *People) Labelled(labels ...string) *People {
	for i, label := range labels {
		p.columns[0].cells[i] = label + ": " + p.columns[0].cells[i]
	}
	return p
}

// Common removes each of the given columns whose cells are all the same, and returns the
// headings and values of the removed columns as text.
func (p *People) Common(headings ...string) string {
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

// Grouped shows the heading of a struct only on the first of adjacent columns from that struct.
func (p *People) Grouped() *People {
	p.grouped = true
	return p
}

// Narrow marks a column to be dropped if the table is too wide, like the tag narrow of fields.
func (p *People) Narrow(heading string, turn int) *People {
	for i := range p.columns {
		if p.columns[i].heading == heading {
			p.columns[i].narrow = turn
		}
	}
	return p
}

// GivesWay marks the columns after the first n to be dropped if the table is too wide, the last
// one first.
func (p *People) GivesWay(n int) *People {
	for i := n; i < len(p.columns); i++ {
		p.columns[i].narrow = len(p.columns) - i
	}
	return p
}

// Within sets the width, in characters, up to which no column is dropped.
func (p *People) Within(width int) *People {
	p.width = width
	return p
}

// First limits the table to the first n rows, followed by a line with the number of further ones.
func (p *People) First(n int) *People {
	p.most = n
	return p
}

// Has reports whether the table has a heading.
func (p *People) Has(heading string) bool { return slices.Contains(p.Table().Head, heading) }

// Below returns a column that was dropped from the table as text, with a paragraph for each row.
// Each paragraph is preceded by the row's cells in the columns of headings. Below returns "" if the
// table has the column.
func (p *People) Below(heading string, headings ...string) paragraph {
	t := p.Table()
	at := slices.IndexFunc(p.columns, func(c column) bool { return c.heading == heading })
	if at < 0 || slices.Contains(t.Head, heading) {
		return ""
	}
	for _, h := range t.Head {
		if !slices.Contains(headings, h) {
			t = t.Dropped(h)
		}
	}
	indent := t.Width() + 2
	text := ""
	for i, name := range strings.Split(strings.TrimSuffix(t.String(), "\n"), "\n") {
		what := heading
		if i > 0 {
			what = p.columns[at].cells[i-1]
		}
		text += Wrap(MostColumns, indent, fmt.Sprintf("%-*s", indent, name), what) + "\n"
	}
	return paragraph("\n" + text)
}

// Table returns the table without empty columns. If the table is too wide, it drops columns marked
// by Narrow, all those of the same turn together.
func (p *People) Table() Table {
	filled := slices.DeleteFunc(slices.Clone(p.columns), func(c column) bool {
		return len(c.cells) > 0 && !slices.ContainsFunc(c.cells, func(text string) bool { return text != "-" && text != "" })
	})
	for {
		t := p.table(filled)
		next := 0
		for _, c := range filled {
			if c.narrow > 0 && (next == 0 || c.narrow < next) {
				next = c.narrow
			}
		}
		if next == 0 || t.Width() <= p.width {
			return t
		}
		filled = slices.DeleteFunc(filled, func(c column) bool { return c.narrow == next })
	}
}

func (p *People) table(columns []column) Table {
	var t Table
	group := ""
	for _, c := range columns {
		heading := c.heading
		if p.grouped && c.group == group {
			heading = strings.TrimPrefix(heading, group+" ")
		}
		group = c.group
		t.Head = append(t.Head, heading)
		t.Rows = append(t.Rows, make([][]string, p.shown(len(c.cells))-len(t.Rows))...)
		for i := range t.Rows {
			t.Rows[i] = append(t.Rows[i], cmp.Or(c.cells[i], "-"))
		}
	}
	return t
}

// shown returns how many of n rows are shown.
func (p *People) shown(n int) int {
	if p.most > 0 {
		return min(n, p.most)
	}
	return n
}

func (p *People) marked() string {
	text := p.Table().marked()
	if n := len(p.columns[0].cells); p.shown(n) < n {
		text += fmt.Sprintf("... and %d more: --format csv has all\n", n-p.shown(n))
	}
	return text
}

// texts returns the cells of a column for people, formatted by the verb of its field:
//
//	%.4f            a number with this number of decimals
//	%               a number of per cent
//	share           a share of 1, in per cent
//	s, min, h       a time in this unit, written in the unit that suits the whole column
//	duration        seconds, each in the unit that suits it
//	span            seconds, in their largest whole unit
//	moment          a second of the log, by its clock
//	hours           processor seconds, in processor hours
//	full            a number with all digits
//	count           the length of a list
//	wait            seconds, each in the unit that suits it, whole below a minute
//
// Numbers without a verb have four significant digits.
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
		case v.Type().Implements(reflect.TypeFor[field.Shown]()):
			all[i] = v.Interface().(field.Shown).Show(f.Verb)
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

// timeUnits maps verbs to units of time, in seconds.
var timeUnits = map[string]float64{"s": 1, "min": 60, "h": 3600}

// short formats one number. It panics for an unknown verb.
func short(x float64, verb string) string {
	switch verb {
	case "":
		verb = "sig"
	case "%":
		verb = "percent"
	}
	if write := numbers[verb]; write != nil {
		return write(x)
	}
	decimals, err := strconv.Atoi(strings.Trim(verb, "%.f"))
	if err != nil {
		panic(fmt.Sprintf("view: unknown verb %q", verb))
	}
	return Fixed(x, decimals)
}
