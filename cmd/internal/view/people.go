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

// People are rows for people: a column for each field with a heading, and those that are added.
type People struct {
	rows    reflect.Value
	columns []column
	grouped bool
	most    int // rows that are shown, 0 for all
	width   int // that the table should have at most
	prose   Prose
}

// column is a column of a table for people.
type column struct {
	heading, group string
	cells          []string
	narrow         int
}

// For returns the columns that the rows of a list declare. The clock is that of moments.
func For(list any, clock ...workload.Clock) *People {
	p := &People{rows: reflect.ValueOf(list), width: MostColumns}
	fields, rows := field.Rows(list, func(f field.Field) bool { return f.Heading != "" })
	for _, f := range fields {
		p.columns = append(p.columns, column{f.Heading, f.Group, texts(f, rows, clock), f.Narrow})
	}
	return p
}

// Cell is what the template of a column is given that has a value of its own.
type Cell struct{ Row, Of any }

// Column adds a column whose cells a template writes, of the row or of a Cell. It stands where
// With puts it.
func (p *People) Column(place, heading, template string, of ...any) *People {
	return p.With(place, heading, func(i int) string {
		row := p.rows.Index(i).Interface()
		if len(of) > 0 {
			row = Cell{row, of[0]}
		}
		return p.prose.write(template, row)
	})
}

// With adds a column. Its place is "first", "last", or "before" or "after" and a heading; behind
// the others where there is no such heading. It is for rows without lists of rows in them.
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

// Without leaves out columns.
func (p *People) Without(headings ...string) *People {
	p.columns = slices.DeleteFunc(p.columns, func(c column) bool { return slices.Contains(headings, c.heading) })
	return p
}

// Only leaves out all other columns.
func (p *People) Only(headings ...string) *People {
	p.columns = slices.DeleteFunc(p.columns, func(c column) bool { return !slices.Contains(headings, c.heading) })
	return p
}

// Heading gives a column, by its number, another heading.
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

// Common takes out those of the columns in which all rows are the same, and returns what
// they say.
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

// Grouped lets the first of neighbours in a struct alone have the heading of the struct.
func (p *People) Grouped() *People {
	p.grouped = true
	return p
}

// Narrow lets a column give way where the table is too wide, as the tag of fields does.
func (p *People) Narrow(heading string, turn int) *People {
	for i := range p.columns {
		if p.columns[i].heading == heading {
			p.columns[i].narrow = turn
		}
	}
	return p
}

// GivesWay lets the columns behind the first n give way, the last ones first.
func (p *People) GivesWay(n int) *People {
	for i := n; i < len(p.columns); i++ {
		p.columns[i].narrow = len(p.columns) - i
	}
	return p
}

// Within sets the width up to which no column gives way.
func (p *People) Within(width int) *People {
	p.width = width
	return p
}

// First shows the first rows, and says how many there are more.
func (p *People) First(n int) *People {
	p.most = n
	return p
}

// Has says whether the table has a heading.
func (p *People) Has(heading string) bool { return slices.Contains(p.Table().Head, heading) }

// Below writes a column for which the table has no room, a paragraph for each row. Those of
// headings that the table has name it.
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

// Table returns the table. A column that no row fills is left out, and where the table is
// too wide, those that give way, all of the same turn together.
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

// shown is how many of n rows are shown.
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

// timeUnits are the units of times, in seconds.
var timeUnits = map[string]float64{"s": 1, "min": 60, "h": 3600}

// short writes one number.
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
