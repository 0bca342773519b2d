package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// clock tells the time at a second of the log; nil where it is not known.
func (l *logReport) clock() func(seconds float64) time.Time {
	d := l.describe
	if d.Clock.Dates(float64(d.Log.FirstSubmit), float64(d.Log.LastSubmit)) {
		return d.Clock.At
	}
	return nil
}

// along is a second of the log on a chart's axis: what a clock at the site
// shows, or days.
func (l *logReport) along(seconds float64) float64 {
	at := l.clock()
	if at == nil {
		return seconds / 86400
	}
	t := at(seconds)
	_, offset := t.Zone()
	return float64(t.Unix()) + float64(offset) + float64(t.Nanosecond())/1e9
}

func (l *logReport) timeAxis() page.Axis {
	if l.clock() == nil {
		return page.Axis{Title: "days since the log began", Kind: "days"}
	}
	return page.Axis{Title: "time", Kind: "clock"}
}

// mostIntervals is how many stretches of time a table lists.
const mostIntervals = 20

func (l *logReport) load() []page.Block {
	d := l.describe
	if d.Load == nil || len(d.Load.Intervals) == 0 {
		return missing("No job has a time of submission: there is nothing over time.")
	}
	if !d.Log.Processors.Known() {
		return missing("The header does not say how many processors the machine has, so there is no offered load; --procs gives the number.")
	}
	loads := figure.Loads{Start: float64(d.Load.Intervals[0].Start), Width: float64(d.Load.Width)}
	chart := page.Chart{X: l.timeAxis(), Y: page.Axis{Title: "offered load", Kind: "number", Min: new(float64)}}
	line := page.Line{Name: "offered load", Kind: "step"}
	highest := d.Load.Intervals[0]
	some := false
	for _, i := range l.stretches() {
		loads.Load = append(loads.Load, float64(i.Load))
		chart.At, line.Y = append(chart.At, l.along(float64(i.Start))), append(line.Y, float64(i.Load))
		if present.Known(i.Load) {
			if !some || i.Load > highest.Load {
				highest = i
			}
			some = true
		}
	}
	if !some {
		return missing("No job has both a size and a run time: there is no offered load.")
	}
	// The last step ends where its stretch does.
	last := d.Load.Intervals[len(d.Load.Intervals)-1]
	chart.At, line.Y = append(chart.At, l.along(float64(last.Start+d.Load.Width))), append(line.Y, line.Y[len(line.Y)-1])
	chart.Lines = []page.Line{line}
	width := present.Span(d.Load.Width)
	start := l.moment(highest)
	alt := fmt.Sprintf("Offered load of the jobs submitted in each %s, over time. Over the whole log it is %s; the highest is %s, in the %s from %s. Stretches of which the log covers less than half are left out.",
		width, present.Fixed(d.OfferedLoad, 3), present.Fixed(highest.Load, 2), width, start)
	return []page.Block{
		l.picture(page.Figure{ID: "offered-load", Caption: "Offered load of the jobs submitted in each " + width, Alt: alt, Wide: true, Chart: &chart, Table: l.loadTable()},
			func(w io.Writer) error { return figure.OfferedLoad(w, figure.Compact, l.name, loads, l.clock()) }),
		paragraph("%s", alt),
	}
}

// stretches are those of the load over time, without the load of those of which
// the log covers less than half: at its ends they may have minutes only.
func (l *logReport) stretches() []inspect.Interval {
	all := slices.Clone(l.describe.Load.Intervals)
	for i := range all {
		if all[i].Covered < l.describe.Load.Width/2 {
			all[i].Load = stats.Number(math.NaN())
		}
	}
	return all
}

func (l *logReport) moment(i inspect.Interval) string {
	return present.Moment(l.describe.Clock, i.Start)
}

// loadTable has the stretches of time with the highest loads, or all.
func (l *logReport) loadTable() *page.Table {
	all := l.stretches()
	t := page.Table{Caption: "The numbers", Head: []string{"from", "jobs", "processor hours", "offered load"}, Folded: true}
	if len(all) > 3*mostIntervals {
		slices.SortStableFunc(all, func(a, b inspect.Interval) int { return cmp.Compare(b.Load, a.Load) })
		t.Caption = fmt.Sprintf("The numbers of the highest %d of %d", mostIntervals, len(all))
		all = all[:mostIntervals]
	}
	for _, i := range all {
		t.Rows = append(t.Rows, []page.Cell{textCell(l.moment(i)), countCell(i.Jobs), cell(i.Work, present.Fixed(i.Work/3600, 0)), fixedCell(i.Load, 3)})
	}
	return &t
}
