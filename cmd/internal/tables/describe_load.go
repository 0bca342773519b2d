package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

func loadColumns(d *inspect.Description) []present.Column[inspect.Interval] {
	type row = inspect.Interval
	length := func(i row) float64 {
		at, _ := slices.BinarySearchFunc(d.Load.Intervals, i.Start, func(x row, start stats.Number) int { return cmp.Compare(x.Start, start) })
		return d.Load.Length(at)
	}
	return []present.Column[row]{
		present.Text("", "start", func(i row) string { return present.Moment(d.Clock, i.Start) }),
		present.Float("start_s", "", func(i row) stats.Number { return i.Start }, nil),
		present.Float("covered_s", "", func(i row) stats.Number { return i.Covered }, nil),
		present.Text("", "covered", func(i row) string { return fmt.Sprintf("%.0f%%", 100*float64(i.Covered)/length(i)) }),
		present.Count("jobs", "jobs", func(i row) int64 { return i.Jobs }),
		present.Float("work_processor_s", "processor hours", func(i row) stats.Number { return i.Work }, func(s float64) string { return present.Fixed(s/3600, 1) }),
		present.Float("offered_load", "load", func(i row) stats.Number { return i.Load }, func(x float64) string { return present.Fixed(x, 3) }),
	}
}

// loadOf is the offered load over time.
func loadOf(d *inspect.Description) describeSection {
	l, columns := d.Load, loadColumns(d)
	s := describeSection{
		title:  "Offered load of the jobs submitted in each " + present.Span(l.Width),
		people: present.People(columns, l.Intervals),
		csv:    present.CSV(columns, l.Intervals),
	}
	var loads []float64
	for _, i := range l.Intervals {
		if !math.IsNaN(float64(i.Load)) && i.Covered >= l.Width/2 {
			loads = append(loads, float64(i.Load))
		}
	}
	if len(loads) > 0 {
		slices.Sort(loads)
		s.after = append(s.after, fmt.Sprintf("Load of those covered by half or more: median %.3f, lowest %.3f, highest %.3f.", stats.Quantile(loads, 0.5), loads[0], loads[len(loads)-1]))
	}
	if l.Width > l.Asked {
		s.after = append(s.after, fmt.Sprintf("Intervals of %s would be too many: neighbours are joined.", present.Span(l.Asked)))
	}
	return s
}
