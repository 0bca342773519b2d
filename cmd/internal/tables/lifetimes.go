package tables

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Lifetimes is the result in its three forms.
func Lifetimes(r *lifetimes.Result) present.Result {
	return present.Result{Text: func(w *present.Screen) { writeLifetimes(w, r) }, JSON: r, CSV: view.CSV(r.Classes)}
}

// lifetimeRow is a class that is fitted.
type lifetimeRow struct {
	Class  string           `show:"class"`
	Jobs   int64            `show:"jobs"`
	D      stats.Number     `show:"KS distance,%.4f"`
	Minute remainingMedians `row:"prefix" show:"left at 1 min"`
	Hour   remainingMedians `row:"prefix" show:"left at 1 h"`
	fitted *fit.Report
}

// remainingMedians are medians of remaining run times.
type remainingMedians struct {
	Data  stats.Number `show:"in log,duration"`
	Model stats.Number `show:"fitted,duration"`
}

// mostOverlap is how many classes a table of overlaps shows, and mostUnfitted how many classes
// without a fit are named.
const (
	mostOverlap  = 8
	mostUnfitted = 3
)

// writeLifetimes is the table for people.
func writeLifetimes(w *present.Screen, r *lifetimes.Result) {
	w.Printf("%s distribution of run times by class\n\n", r.Family)
	var rows []lifetimeRow
	var without []string
	jobs := int64(0)
	for _, c := range r.Classes {
		if c.Report == nil {
			without = append(without, c.Label+": "+c.Why)
			jobs += c.Jobs
			continue
		}
		medians := func(age float64) remainingMedians {
			at := c.At(age)
			return remainingMedians{at.MedianData, at.MedianModel}
		}
		rows = append(rows, lifetimeRow{c.Label, c.Jobs, stats.Number(c.Report.KS.D), medians(lifetimes.MinuteAge), medians(lifetimes.HourAge), c.Report})
	}
	if len(rows) > 0 {
		t := view.For(rows).Grouped().Table()
		w.Table(t)
		writeParameters(w, t, func(i int) fit.Report { return *rows[i].fitted })
	}
	if n := len(without); n > 0 {
		w.Printf("\nwithout a fit: %s with %s\n", fmt.Sprint(n, " ", words.Plural(n, "class", "classes")), words.Counted(jobs, "job"))
		for _, why := range without[:min(n, mostUnfitted)] {
			w.Message("  %s\n", why)
		}
		if n > mostUnfitted {
			w.Printf("  and so on: --format csv has all\n")
		}
	}
	writeLegend(w, ksLegend, "left: median of the remaining run times of jobs that have run for 1 min or 1 h, in the log and by the fit")
	writeOverlap(w, r.Overlap)
	if len(r.Drift) > 0 {
		w.Printf("\nUniform-log by period, and how well the fit of the previous period does\n\n")
		w.Table(view.For(r.Drift).Table())
	}
}

// writeOverlap is a table of as many classes as there is room for.
func writeOverlap(w *present.Screen, o lifetimes.Overlap) {
	n := min(len(o.Labels), mostOverlap)
	if n < 2 {
		return
	}
	t := overlapTable(o, n)
	for n > 2 && t.Width() > present.MostColumns {
		n--
		t = overlapTable(o, n)
	}
	w.Printf("\nShare of a row's jobs that run longer than the median of a column (%d of %d classes)\n\n", n, len(o.Labels))
	w.Table(t)
}

// overlapTable is a table of the first n classes.
func overlapTable(o lifetimes.Overlap, n int) present.Table {
	t := present.Table{Head: append([]string{"class", "median"}, o.Labels[:n]...)}
	for i, name := range o.Labels[:n] {
		row := []string{name, present.Duration(o.Medians[i])}
		for _, x := range o.Longer[i][:n] {
			row = append(row, present.Percent(100*x))
		}
		t.Add(row...)
	}
	return t
}
