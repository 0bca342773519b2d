package tables

import (
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// dayHour is a row of CSV: an hour of a day of the week.
type dayHour struct {
	weekday string
	hour    int
	jobs    int64
}

var dayHourColumns = []present.Column[dayHour]{
	present.Text("weekday", "", func(r dayHour) string { return r.weekday }),
	present.Count("hour", "", func(r dayHour) int { return r.hour }),
	present.Count("jobs", "", func(r dayHour) int64 { return r.jobs }),
}

var hourColumns = []present.Column[inspect.HourJobs]{
	present.Count("", "hour", func(h inspect.HourJobs) int { return h.Hour }),
	present.Count("", "jobs", func(h inspect.HourJobs) int64 { return h.Jobs }),
	present.Float("", "share", func(h inspect.HourJobs) stats.Number { return h.Pct }, present.Percent),
}

var weekdayColumns = []present.Column[inspect.WeekdayJobs]{
	present.Text("", "weekday", func(d inspect.WeekdayJobs) string { return d.Weekday }),
	present.Count("", "jobs", func(d inspect.WeekdayJobs) int64 { return d.Jobs }),
	present.Float("", "share", func(d inspect.WeekdayJobs) stats.Number { return d.Pct }, present.Percent),
}

// beside puts a shorter table to the right of another one.
func beside(left, right present.Table) present.Table {
	t := present.Table{Head: slices.Concat(left.Head, []string{""}, right.Head)}
	for i, row := range left.Rows {
		cells := make([]string, len(right.Head))
		if i < len(right.Rows) {
			cells = right.Rows[i]
		}
		t.Add(slices.Concat(row, []string{""}, cells)...)
	}
	return t
}

// arrivalsOf is submissions by hour and weekday. Its CSV has both at once, from
// which either follows.
func arrivalsOf(d *inspect.Description) describeSection {
	a := d.Arrivals
	var rows []dayHour
	for _, day := range a.ByWeekdayHour {
		for hour, n := range day.Hours {
			rows = append(rows, dayHour{day.Weekday, hour, n})
		}
	}
	return describeSection{
		title:  fmt.Sprintf("Submissions by hour and weekday (%s)", a.Clock),
		people: beside(present.People(hourColumns, a.ByHour), present.People(weekdayColumns, a.ByWeekday)),
		csv:    present.CSV(dayHourColumns, rows),
	}
}
