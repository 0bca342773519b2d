package workload

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ClassColumn is one column by which a Classifier sorts jobs into classes.
//
// Identifiers and codes have a class for each number, or for each name of
// Groups. Amounts have a class for each range: from a power of two to the next,
// its lower end not in it, so that sizes of 5 to 8 processors are a class; or
// the ranges that Edges divide; or, with Each, a class for each value.
type ClassColumn struct {
	Column string // the name of an identifier, a code or an amount

	// Edges are the upper ends of ranges of an amount, ascending; the last
	// range is what is above them all. nil is powers of two.
	Edges []float64
	Each  bool
	// Months makes the calendar months of a time on this clock the classes.
	Months *Clock
	// Groups names classes of several identifiers: the queues of short jobs
	// "short". Those it does not have are the class Other, or "other" where
	// that is empty. nil is a class for each identifier.
	Groups map[int64]string
	Other  string
}

// ClassColumns returns the names of the columns by which jobs can be grouped: identifiers,
// then codes, then amounts. submitted selects those that are known when a job is submitted.
func ClassColumns(submitted bool) []string {
	var names []string
	for _, use := range []Use{Identifier, Code, Amount} {
		for i := range attributes {
			if c := &attributes[i]; c.Use == use && (c.Submitted() || !submitted) {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// String returns the column as ParseClasses reads it back, unless it has Groups.
func (c ClassColumn) String() string {
	column := FindColumn(c.Column)
	switch {
	case c.Months != nil:
		return MonthWord
	case column == nil || !column.ranged():
		return c.Column
	case c.Each:
		return c.Column + ":" + eachValue
	case c.Edges == nil:
		return c.Column + ":" + doubling
	}
	for _, e := range c.Edges {
		c.Column += ":" + strconv.FormatFloat(e, 'g', -1, 64)
	}
	return c.Column
}

// same says whether two columns make the same classes.
func (c ClassColumn) same(d ClassColumn) bool {
	return c.String() == d.String() && (c.Groups == nil) == (d.Groups == nil) && maps.Equal(c.Groups, d.Groups) && c.Other == d.Other
}

// classCells finds the class of a job by one column, and names it.
type classCells struct {
	*Column
	at int // in the table; -1 for a derived attribute
	// places finds the class of a value that is known; nil where the class is
	// the value itself.
	ofInt   func(int64) int64
	ofFloat func(float64) int64
	label   func(int64) string
}

// inRequest is the class of a request; Unknown where it has no value, or the
// column is not known at submission.
func (c *classCells) inRequest(r *Request) int64 {
	if c.Float() {
		return c.real(c.NumberIn(r))
	}
	return c.whole(c.IntIn(r))
}

// inJob is the class of a job, Unknown where it has no value.
func (c *classCells) inJob(j *Job) int64 {
	if c.Float() {
		return c.real(c.Number(j))
	}
	return c.whole(c.Int(j))
}

// inRow is the class of a row, Unknown where it has no value.
func (c *classCells) inRow(b *Batch, i int) int64 {
	switch {
	case c.at < 0 && !c.Float():
		return c.whole(b.derived(c.Column, i))
	case c.Float():
		return c.real(b.Float(c.at, i))
	}
	return c.whole(b.Int(c.at, i))
}

func (c *classCells) whole(v int64) int64 {
	if c.ofInt == nil || v == Unknown {
		return v
	}
	return c.ofInt(v)
}

func (c *classCells) real(v float64) int64 {
	switch {
	case math.IsNaN(v), math.IsInf(v, 0):
		return Unknown
	case c.ofFloat == nil:
		return int64(math.Float64bits(v + 0)) // -0 is 0
	}
	return c.ofFloat(v)
}

func (c ClassColumn) cells() (classCells, error) {
	column := FindColumn(c.Column)
	if column == nil || column.Name != c.Column || column == &columns[ColJobID] {
		return classCells{}, fmt.Errorf("classes by column %q, want one of %s", c.Column, strings.Join(ClassColumns(false), ", "))
	}
	cells := classCells{Column: column, at: ColumnIndex(c.Column)}
	cells.label = func(v int64) string { return fmt.Sprintf("%s=%d", c.Column, v) }
	switch {
	case c.Months != nil:
		cells.ofFloat = c.Months.Month
		cells.label = func(v int64) string { return c.Months.MonthPeriod(v).Label }
	case column.ranged() && c.Groups != nil:
		return cells, fmt.Errorf("groups for %s, want them for identifiers only", c.Column)
	case column.ranged() && !c.Each:
		return c.ranges(cells)
	case c.Edges != nil:
		return cells, fmt.Errorf("edges for %s, want them for amounts only: its numbers are names", c.Column)
	case column.Float():
		cells.label = func(v int64) string {
			return c.Column + "=" + strconv.FormatFloat(math.Float64frombits(uint64(v)), 'g', -1, 64)
		}
	case c.Groups != nil:
		cells.ofInt, cells.label = c.grouped()
	}
	return cells, nil
}

// grouped are the cells of named groups of identifiers.
func (c ClassColumn) grouped() (of func(int64) int64, label func(int64) string) {
	names := slices.Compact(slices.Sorted(maps.Values(c.Groups)))
	group := make(map[int64]int64, len(c.Groups))
	for id, name := range c.Groups {
		group[id] = int64(slices.Index(names, name))
	}
	other := int64(len(names))
	names = append(names, c.other())
	return func(id int64) int64 {
		if g, ok := group[id]; ok {
			return g
		}
		return other
	}, func(v int64) string { return names[v] }
}

// other is the name of the class of identifiers in no group.
func (c ClassColumn) other() string {
	if c.Other == "" {
		return otherClass
	}
	return c.Other
}

const otherClass = "other"
