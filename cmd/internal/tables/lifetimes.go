package tables

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
)

// lifetimeRow is one age of a class.
type lifetimeRow struct {
	lifetimes.ClassLifetimes
	lifetimes.Remaining
}

// lifetimeColumns are those of the CSV.
func lifetimeColumns() []present.Column[lifetimeRow] {
	type row = lifetimeRow
	number := func(name string, of func(row) stats.Number) present.Column[row] {
		return present.Float(name, "", of, nil)
	}
	return []present.Column[row]{
		present.Text("class", "", func(r row) string { return r.Label }),
		present.Text("jobs", "", func(r row) string { return present.Whole(r.Jobs) }),
		number("age_s", func(r row) stats.Number { return r.Age }),
		number("jobs_left", func(r row) stats.Number { return r.Left }),
		number("median_data_s", func(r row) stats.Number { return r.MedianData }),
		number("median_model_s", func(r row) stats.Number { return r.MedianModel }),
		number("mean_data_s", func(r row) stats.Number { return r.MeanData }),
		number("mean_model_s", func(r row) stats.Number { return r.MeanModel }),
	}
}

// Lifetimes is the result in its three forms.
func Lifetimes(r *lifetimes.Result) present.Result {
	var rows []lifetimeRow
	for _, c := range r.Classes {
		for _, at := range c.Remaining {
			rows = append(rows, lifetimeRow{c, at})
		}
	}
	return present.Result{Text: func(w *present.Screen) { writeLifetimes(w, r) }, JSON: r, CSV: present.CSV(lifetimeColumns(), rows)}
}

// mostUnfitted is up to which class those that are not fitted have a row.
const mostUnfitted = 20

// mostOverlap is how many classes a table of overlaps shows.
const mostOverlap = 8

// writeLifetimes is the table for people.
func writeLifetimes(w *present.Screen, r *lifetimes.Result) {
	w.Printf("%s distribution of run times by class\n", r.Family)
	t := present.Table{Head: []string{"class", "jobs", "KS distance", "median remaining at 1 min", "fitted", "at 1 h", "fitted", "parameters"}}
	var medians []float64
	for _, c := range r.Classes {
		if c.Report != nil {
			medians = append(medians, float64(c.At(lifetimes.HourAge).MedianData))
		}
	}
	in := present.TimeUnitOf(medians...)
	hidden, jobs := 0, int64(0)
	for i, c := range r.Classes {
		if c.Report == nil && i >= mostUnfitted {
			hidden++
			jobs += c.Jobs
			continue
		}
		if c.Report == nil {
			t.Add(c.Label, present.Whole(c.Jobs), "-", "-", "-", "-", "-", c.Why)
			continue
		}
		minute, hour := c.At(lifetimes.MinuteAge), c.At(lifetimes.HourAge)
		t.Add(c.Label, present.Whole(c.Jobs), present.Fixed(c.Report.KS.D, 4), in.Write(float64(minute.MedianData)), in.Write(float64(minute.MedianModel)),
			in.Write(float64(hour.MedianData)), in.Write(float64(hour.MedianModel)), parameterText(*c.Report))
	}
	w.Table(t)
	if hidden > 0 {
		w.Printf("and %d more %s, with %s, without a fit\n", hidden, words.Plural(int(hidden), "class", "classes"), words.Counted(int64(jobs), "job"))
	}
	writeLegend(w, ksLegend, "median remaining: of the remaining run times of jobs that have run for 1 min or 1 h, in the log and by the fit")
	if n := len(r.Overlap.Labels); n > 1 {
		shown := min(n, mostOverlap)
		w.Printf("\nShare of a row's jobs that run longer than the median of a column (%d of %d classes)\n", shown, n)
		t := present.Table{Head: append([]string{"class", "median"}, r.Overlap.Labels[:shown]...)}
		var medians []float64
		for _, m := range r.Overlap.Medians[:shown] {
			medians = append(medians, float64(m))
		}
		in := present.TimeUnitOf(medians...)
		for i, name := range r.Overlap.Labels[:shown] {
			row := []string{name, in.Write(medians[i])}
			for _, x := range r.Overlap.Longer[i][:shown] {
				row = append(row, fmt.Sprintf("%.1f%%", 100*float64(x)))
			}
			t.Add(row...)
		}
		w.Table(t)
	}
	if len(r.Drift) == 0 {
		return
	}
	w.Printf("\nUniform-log by period, and how well the fit of the previous period does\n")
	t = present.Table{Head: []string{"class", "period", "jobs", "intercept", "slope", "R2", "median", "KS distance", "KS of previous", "its median / actual"}}
	for _, d := range r.Drift {
		for _, s := range d.Steps {
			t.Add(d.Label, s.Label, present.Whole(s.Jobs), present.Fixed(s.Intercept, 3), present.Fixed(s.Slope, 4), present.Fixed(s.RSquared, 3),
				present.Duration(s.Median), present.Fixed(s.D, 3), present.Fixed(s.PreviousD, 3), present.Fixed(s.MedianRatio, 2))
		}
	}
	w.Table(t)
}
