package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit/site"
)

func (l *Report) arrivals() []page.Block {
	d := l.describe
	if d.Bursts.Jobs == 0 {
		return missing("No job has a submit time.")
	}
	var blocks []page.Block
	a := d.Arrivals
	if a == nil || a.Jobs == 0 || !d.Clock.Known {
		blocks = append(blocks, remark("missing", "The log does not say when it began, so hours and weekdays are unknown."))
	} else {
		blocks = append(blocks, paragraph("%s", clockWords(a.Clock)), l.daily(), l.weekly())
	}
	b := d.Bursts.Counts[0]
	alt := fmt.Sprintf("Jobs submitted per five minutes, over time: %s on average and %s at most, from %s.", sig(float64(b.Mean)), sig(float64(b.Max)), present.Moment(d.Clock, b.MaxStart))
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
	submissions := figure.Submissions(l.name, d)
	return append(blocks,
		l.picture(page.Figure{ID: "submissions", Caption: "Submissions per five minutes", Alt: alt, Table: l.peakTable()}, &submissions),
		tableOf(t),
	)
}

// clockWords say by which clock hours and weekdays are told.
func clockWords(clock string) string {
	return "Clock of the hours and weekdays: " + strings.Replace(clock, ": ", ", so ", 1) + "."
}

// mostPeaks is how many of the busiest five minutes a table lists.
const mostPeaks = 10

// peakTable has the stretches with the busiest five minutes.
func (l *Report) peakTable() *page.Table {
	p := l.describe.Bursts.Peaks
	t := page.Table{Caption: "The numbers: the busiest five minutes", Head: []string{"in the " + present.Span(p.Width) + " from", "jobs in five minutes"}, Folded: true}
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
func (l *Report) daily() page.Block {
	a := l.describe.Arrivals
	busiest, quietest := a.ByHour[0], a.ByHour[0]
	t := page.Table{Caption: "The numbers, by whole hour", Head: []string{"hour", "jobs", "share"}, Folded: true}
	for _, h := range a.ByHour {
		if h.Jobs > busiest.Jobs {
			busiest = h
		}
		if h.Jobs < quietest.Jobs {
			quietest = h
		}
		t.Rows = append(t.Rows, []page.Cell{textCell(fmt.Sprintf("%d:00", h.Hour)), countCell(h.Jobs), percentCell(h.Pct)})
	}
	f := page.Figure{ID: "daily-cycle", Caption: "By time of day", Table: &t,
		Alt: fmt.Sprintf("Share of the jobs submitted in each half hour of the day. The busiest hour begins at %d:00 with %s %% of the jobs, the quietest at %d:00 with %s %%.",
			busiest.Hour, present.Fixed(busiest.Pct, 1), quietest.Hour, present.Fixed(quietest.Pct, 1))}
	if l.fitted == nil {
		return remark("missing", "The daily cycle is not drawn: no model could be fitted.")
	}
	var fitted *site.CycleReport
	if c := l.site(); c != nil {
		fitted = c.Arrivals.Cycle
	}
	if fitted != nil && !fitted.Fits() {
		f.Alt += fmt.Sprintf(" The Gamma fitted to the cycle is not drawn, since it does not fit: D is %s.", present.Fixed(fitted.D, 4))
		fitted = nil
	}
	s := figure.DailyCycle(l.name, l.fitted.Classes[0].Slots(), fitted)
	return l.picture(f, &s)
}

// site is what was fitted of the site's one class, nil where nothing was.
func (l *Report) site() *site.ClassReport {
	if l.fitted == nil || l.fitted.Site == nil {
		return nil
	}
	return &l.fitted.Site.Classes[0]
}

func (l *Report) weekly() page.Block {
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
	s := figure.WeeklyCycle(l.name, jobs)
	return l.picture(f, &s)
}
