package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
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

func (l *logReport) arrivals() []page.Block {
	d := l.describe
	if d.Bursts.Jobs == 0 {
		return missing("No job has a time of submission.")
	}
	var blocks []page.Block
	a := d.Arrivals
	if a == nil || a.Jobs == 0 || !d.Clock.Known {
		blocks = append(blocks, remark("missing", "The header does not say when the log began: hours and weekdays are not known."))
	} else {
		blocks = append(blocks, paragraph("Hours and weekdays are by %s.", a.Clock), l.daily(), l.weekly())
	}
	peaks := d.Bursts.Peaks
	b := d.Bursts.Counts[0]
	alt := fmt.Sprintf("Jobs submitted in five minutes, over time: %s at most, at %s, and %s on average.", present.Sig(b.Max), present.Moment(d.Clock, b.MaxStart), present.Sig(b.Mean))
	t := page.Table{Beside: true, Caption: "Submissions per interval; a Poisson process has dispersion 1 and no autocorrelation", Head: []string{"interval", "mean", "highest", "dispersion"}}
	for _, lag := range d.Bursts.Counts[0].Autocorrelation {
		t.Head = append(t.Head, "r("+strconv.Itoa(lag.Lag)+")")
	}
	for _, c := range d.Bursts.Counts {
		row := []page.Cell{textCell(present.Span(c.Width)), sigCell(c.Mean), sigCell(c.Max), sigCell(c.Dispersion)}
		for _, lag := range c.Autocorrelation {
			row = append(row, fixedCell(lag.R, 3))
		}
		t.Rows = append(t.Rows, row)
	}
	blocks = append(blocks,
		l.picture(page.Figure{ID: "submissions", Caption: "Submissions per five minutes", Alt: alt, Table: l.peakTable()},
			func(w io.Writer) error {
				return figure.Submissions(w, figure.Compact, l.name, figure.Counts{Start: peaks.Start, Width: peaks.Width, Max: peaks.Max}, l.clock())
			}),
		tableOf(t),
	)
	return append(blocks, l.interarrivals()...)
}

// interarrivals are the times between submissions, with the laws fitted to them.
func (l *logReport) interarrivals() []page.Block {
	if l.others == nil {
		return missing("Nothing was fitted to the interarrival times: " + lowerFirst(l.why[othersPart]))
	}
	x, why := l.fittedTo(l.others, fit.Interarrival)
	if why != "" {
		return missing(why)
	}
	alt := fmt.Sprintf("Distribution of the times between submissions that follow on each other, %s of them above 0, over a log axis.", grouped(x.sample.Jobs()))
	blocks := []page.Block{x.distribution("interarrivals-distribution", "Times between submissions, and the closest laws", alt), x.probabilities("interarrivals-pp")}
	return append(blocks, x.goodness("The fits of interarrival times and their goodness")...)
}

// mostPeaks is how many of the busiest five minutes a table lists.
const mostPeaks = 10

// peakTable has the stretches with the busiest five minutes.
func (l *logReport) peakTable() *page.Table {
	p := l.describe.Bursts.Peaks
	t := page.Table{Caption: fmt.Sprintf("The numbers of the highest %d", mostPeaks), Head: []string{"in the " + present.Span(p.Width) + " from", "jobs in five minutes"}, Folded: true}
	order := make([]int, len(p.Max))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.Max[b], p.Max[a]) })
	for _, i := range order[:min(len(order), mostPeaks)] {
		t.Rows = append(t.Rows, []page.Cell{textCell(present.Moment(l.describe.Clock, p.Start+float64(i)*p.Width)), sigCell(p.Max[i])})
	}
	return &t
}

// daily is the daily cycle, with the fitted one where there is one.
func (l *logReport) daily() page.Block {
	a := l.describe.Arrivals
	busiest, quietest := a.ByHour[0], a.ByHour[0]
	t := page.Table{Caption: "The numbers by hour", Head: []string{"hour", "jobs", "share"}, Folded: true}
	for _, h := range a.ByHour {
		if h.Jobs > busiest.Jobs {
			busiest = h
		}
		if h.Jobs < quietest.Jobs {
			quietest = h
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(fmt.Sprintf("%d:00", h.Hour)), countCell(h.Jobs), percentCell(h.Pct)})
	}
	f := page.Figure{ID: "daily-cycle", Caption: "By hour", Table: &t,
		Alt: fmt.Sprintf("Share of the jobs submitted in each half hour of the day. The busiest hour begins at %d:00 with %s %% of the jobs, the quietest at %d:00 with %s %%.",
			busiest.Hour, present.Fixed(busiest.Pct, 1), quietest.Hour, present.Fixed(quietest.Pct, 1))}
	if l.fitted == nil {
		return remark("missing", "The daily cycle is not drawn: nothing could be fitted.")
	}
	var cycles []figure.Cycle
	if c := l.site(); c != nil && c.Arrivals.Cycle != nil {
		cycles = append(cycles, figure.Cycle{Name: "fitted cycle", Law: c.Arrivals.Cycle.Law})
	}
	return l.picture(f, func(w io.Writer) error {
		return figure.DailyCycle(w, figure.Compact, l.name, figure.Day{Jobs: l.fitted.Classes[0].Slots()}, cycles)
	})
}

// site is what was fitted of the site's one class, nil where nothing was.
func (l *logReport) site() *site.ClassReport {
	if l.fitted == nil || l.fitted.Site == nil {
		return nil
	}
	return &l.fitted.Site.Classes[0]
}

func (l *logReport) weekly() page.Block {
	a := l.describe.Arrivals
	var jobs [7]float64
	t := page.Table{Caption: "The numbers by weekday", Head: []string{"day", "jobs", "share"}, Folded: true}
	busiest, quietest := a.ByWeekday[0], a.ByWeekday[0]
	for i, d := range a.ByWeekday {
		jobs[(i+1)%7] = float64(d.Jobs) // by time.Weekday: a week begins on Sunday there
		if d.Jobs > busiest.Jobs {
			busiest = d
		}
		if d.Jobs < quietest.Jobs {
			quietest = d
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(d.Weekday), countCell(d.Jobs), percentCell(d.Pct)})
	}
	f := page.Figure{ID: "weekly-cycle", Caption: "By weekday", Table: &t,
		Alt: fmt.Sprintf("Share of the jobs submitted on each day of the week: most on %s, %s %%, fewest on %s, %s %%.",
			busiest.Weekday, present.Fixed(busiest.Pct, 1), quietest.Weekday, present.Fixed(quietest.Pct, 1))}
	return l.picture(f, func(w io.Writer) error { return figure.WeeklyCycle(w, figure.Compact, l.name, jobs) })
}
