package tables

import (
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Lifetimes is the result in its three forms.
func Lifetimes(r *lifetimes.Result) view.Result {
	return view.Result{Text: func(w *view.Screen) { w.Printf("%s", prose.Text("lifetimes", lifetimesFor(r))) }, JSON: r, CSV: view.CSV(r.Classes)}
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

// lifetimeTables is what the template is given.
type lifetimeTables struct {
	*lifetimes.Result
	Table, DriftTable, OverlapTable view.Table
	Parameters                      string
	Without                         []lifetimes.ClassLifetimes // a fit
	JobsWithout                     int64
	Overlapping                     int // classes of OverlapTable, 0 where there is none
}

func lifetimesFor(r *lifetimes.Result) lifetimeTables {
	out := lifetimeTables{Result: r, DriftTable: view.For(r.Drift).Table()}
	var rows []lifetimeRow
	for _, c := range r.Classes {
		if c.Report == nil {
			out.Without = append(out.Without, c)
			out.JobsWithout += c.Jobs
			continue
		}
		medians := func(age float64) remainingMedians {
			at := c.At(age)
			return remainingMedians{at.MedianData, at.MedianModel}
		}
		rows = append(rows, lifetimeRow{c.Label, c.Jobs, stats.Number(c.Report.KS.D), medians(lifetimes.MinuteAge), medians(lifetimes.HourAge), c.Report})
	}
	out.Table = view.For(rows).Grouped().Table()
	out.Parameters = parametersBelow(out.Table, func(i int) fit.Report { return *rows[i].fitted })
	for n := min(len(r.Overlap.Labels), mostOverlap); n > 1; n-- { // as many as there is room for
		if out.OverlapTable, out.Overlapping = overlapTable(r.Overlap, n), n; out.OverlapTable.Width() <= view.MostColumns {
			break
		}
	}
	return out
}

// mostOverlap is how many classes a table of overlaps shows.
const mostOverlap = 8

// overlapTable is a table of the first n classes.
func overlapTable(o lifetimes.Overlap, n int) view.Table {
	t := view.Table{Head: append([]string{"class", "median"}, o.Labels[:n]...)}
	for i, name := range o.Labels[:n] {
		row := []string{name, view.Duration(o.Medians[i])}
		for _, x := range o.Longer[i][:n] {
			row = append(row, view.Percent(100*x))
		}
		t.Add(row...)
	}
	return t
}
