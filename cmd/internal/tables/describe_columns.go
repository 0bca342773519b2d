package tables

import (
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// columnOf is a column of the log with its name.
type columnOf[T any] struct {
	name string
	of   T
}

// inOrder returns the columns that there are, in the order of the names.
func inOrder[T any](names []string, of map[string]T) []columnOf[T] {
	var rows []columnOf[T]
	for _, name := range names {
		if c, ok := of[name]; ok {
			rows = append(rows, columnOf[T]{name, c})
		}
	}
	return rows
}

type describedColumn = columnOf[inspect.Column]

var describedColumns = []present.Column[describedColumn]{
	present.Text("column", "column", func(c describedColumn) string { return c.name }),
	present.Text("unit", "unit", func(c describedColumn) string { return c.of.Unit }),
	present.Count("known", "known", func(c describedColumn) int64 { return c.of.Known }),
	present.Float("mean", "mean", func(c describedColumn) stats.Number { return c.of.Mean }, present.Sig),
	present.Float("cv", "cv", func(c describedColumn) stats.Number { return c.of.CV }, present.Sig),
	present.Float("q25", "q25", func(c describedColumn) stats.Number { return c.of.Q25 }, present.Sig),
	present.Float("median", "median", func(c describedColumn) stats.Number { return c.of.Median }, present.Sig),
	present.Float("q75", "q75", func(c describedColumn) stats.Number { return c.of.Q75 }, present.Sig),
	present.Float("min", "min", func(c describedColumn) stats.Number { return c.of.Min }, present.Sig),
	present.Float("max", "max", func(c describedColumn) stats.Number { return c.of.Max }, present.Sig),
}

// columnsOf is the table of Downey (1997), table 2, over all measured columns.
// People see those that the log has.
func columnsOf(d *inspect.Description) describeSection {
	all := inOrder(inspect.Measured(), d.Columns)
	s := describeSection{csv: present.CSV(describedColumns, all)}
	var known []describedColumn
	method := ""
	for _, c := range all {
		if c.of.Negative > 0 {
			s.after = append(s.after, fmt.Sprintf("%s: %d negative values are left out of its statistics.", c.name, c.of.Negative))
		}
		if c.of.Known == 0 {
			continue
		}
		known = append(known, c)
		if c.of.Method != "exact" {
			method = c.of.Method
		}
	}
	s.people = present.People(describedColumns, known)
	for i, c := range known {
		if c.name == "submit_time_s" || c.name == "eligible_time_s" {
			writeDates(s.people.Rows[i], c.of, d.Clock)
		}
	}
	s.quantilesBy(method)
	if len(known) > 0 {
		s.after = append(s.after, "cv: standard deviation divided by the mean; a quarter of the jobs are below q25, a quarter above q75")
	}
	return s
}

// writeDates writes the statistics of a column of dates: of its seconds only the dates tell
// people anything, or the seconds in full where the log has none.
func writeDates(row []string, c inspect.Column, clock workload.Clock) {
	write := func(seconds float64) string { return strconv.FormatFloat(math.Round(seconds), 'f', -1, 64) }
	if clock.Dates(float64(c.Min), float64(c.Max)) {
		write = func(seconds float64) string { return present.Date(clock, float64(c.Max-c.Min), seconds) }
		row[1], row[4] = "date", "-" // a coefficient of variation depends on second 0
	}
	for i, x := range []stats.Number{c.Mean, c.CV, c.Q25, c.Median, c.Q75, c.Min, c.Max} {
		if i != 1 && present.Known(x) {
			row[3+i] = write(float64(x))
		}
	}
}

type knownColumn = columnOf[inspect.Known]

var knownColumns = []present.Column[knownColumn]{
	present.Text("column", "column", func(c knownColumn) string { return c.name }),
	present.Count("known", "known", func(c knownColumn) int64 { return c.of.Jobs }),
	present.Float("known_pct", "share", func(c knownColumn) stats.Number { return c.of.Pct }, present.Percent),
}

// knownOf is the share of each column that is known.
func knownOf(d *inspect.Description) describeSection {
	var names []string
	for _, c := range workload.Columns() {
		names = append(names, c.Name)
	}
	rows := inOrder(names, d.Known)
	return describeSection{title: "Known columns", people: present.People(knownColumns, rows), csv: present.CSV(knownColumns, rows)}
}
