package tables

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// mostByRows is how many values the table for people shows.
const mostByRows = 40

// byColumns are the columns of a breakdown; the table for people has those of waits
// only where some are known.
func byColumns(b *inspect.Breakdown, rows []inspect.ByValue) []present.Column[inspect.ByValue] {
	type row = inspect.ByValue
	column := b.Column
	columns := []present.Column[row]{
		present.Text(column, "", func(v row) string {
			if v.Class {
				return v.Name
			}
			return string(v.Value)
		}),
		present.Text("name", "", func(v row) string { return v.Name }),
		present.Text("", column, func(v row) string {
			switch {
			case v.Text != "":
				return v.Text
			case v.Value == "":
				return v.Name
			case v.Name != "":
				return string(v.Value) + " " + v.Name
			}
			return string(v.Value)
		}),
		present.Count("jobs", "jobs", func(v row) int64 { return v.Jobs }),
		present.Float("share_pct", "share", func(v row) stats.Number { return v.Pct }, present.Percent),
		present.Integer("users", "", func(v row) workload.Integer { return v.Users }),
		present.Text("", "users", func(v row) string {
			if !v.Users.Known() {
				return "-"
			}
			return present.Whole(int64(v.Users))
		}),
	}
	for _, of := range []struct {
		name, unit, heading string
		column              func(row) inspect.Column
	}{
		{"run_time", "s", "run", func(v row) inspect.Column { return v.Run }},
		{"size", "processors", "size", func(v row) inspect.Column { return v.Size }},
	} {
		for _, x := range []struct {
			name, heading string
			value         func(inspect.Column) stats.Number
		}{
			{"mean", of.heading + " mean", func(c inspect.Column) stats.Number { return c.Mean }},
			{"q25", "q25", func(c inspect.Column) stats.Number { return c.Q25 }},
			{"median", "median", func(c inspect.Column) stats.Number { return c.Median }},
			{"q75", "q75", func(c inspect.Column) stats.Number { return c.Q75 }},
		} {
			columns = append(columns, present.Float(of.name+"_"+x.name+"_"+of.unit, x.heading, func(v row) stats.Number { return x.value(of.column(v)) }, present.Sig))
		}
	}
	waitMedian, waitQ95 := "", ""
	if slices.ContainsFunc(rows, func(v row) bool { return v.Wait.Known > 0 }) {
		waitMedian, waitQ95 = "wait median", "q95"
	}
	return append(columns,
		present.Float("wait_time_mean_s", "", func(v row) stats.Number { return v.Wait.Mean }, nil),
		present.Float("wait_time_median_s", waitMedian, func(v row) stats.Number { return v.Wait.Median }, present.Sig),
		present.Float("wait_time_q95_s", waitQ95, func(v row) stats.Number { return v.Wait.Q95 }, present.Sig),
		present.Float("work_processor_s", "", func(v row) stats.Number { return v.Work }, nil),
		present.Float("offered_load", "load", func(v row) stats.Number { return v.Load }, present.Sig))
}

// byOf is the summary for each value of a column.
func byOf(d *inspect.Description) describeSection {
	b := d.By
	rows := b.Values
	if b.Others != nil {
		rows = append(rows[:len(rows):len(rows)], *b.Others)
	}
	columns := byColumns(b, rows)
	shown := rows[:min(len(rows), mostByRows)]
	s := describeSection{title: "By " + b.Column, people: present.People(columns, shown), csv: present.CSV(columns, rows)}
	if b.Column != workload.MonthWord && slices.ContainsFunc(rows, func(v inspect.ByValue) bool { return present.Known(v.Work) }) {
		s.after = append(s.after, "Sorted by work (processors times run time), the largest first.")
	}
	s.after = append(s.after, "share: of the jobs; run and wait: times in seconds; size: processors; load: work over the machine's capacity")
	var hidden int64
	for _, v := range rows[len(shown):] {
		hidden += v.Jobs
	}
	if more := len(rows) - len(shown); more > 0 {
		s.after = append(s.after, fmt.Sprintf("%s, with %s: --format csv lists all.", words.Counted(int64(more), "more value"), words.Counted(hidden, "job")))
	}
	if b.Others != nil {
		s.after = append(s.after, fmt.Sprintf("There are too many values: %s %s of values that appear after the first %d.", words.Counted(b.Others.Jobs, "job"), words.Plural(int(b.Others.Jobs), "is", "are"), len(b.Values)))
	}
	method := ""
	for _, v := range rows {
		for _, c := range []inspect.Column{v.Run, v.Size, v.Wait.Column} {
			if c.Known > 1 && c.Method != "exact" {
				method = c.Method
			}
		}
	}
	s.quantilesBy(method)
	return s
}
