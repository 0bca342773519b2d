package tables

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// burstRow is a series: counts in equal intervals or, in CSV alone, the
// interarrival times.
type burstRow struct {
	series string
	n      string // in CSV
	stats.CountStatistics
}

func burstColumns(d *inspect.Description) []present.Column[burstRow] {
	type row = burstRow
	columns := []present.Column[row]{
		present.Text("series", "", func(r row) string { return r.series }),
		present.Float("interval_s", "", func(r row) stats.Number { return r.Width }, nil),
		present.Text("", "interval", func(r row) string { return present.Span(r.Width) }),
		present.Text("n", "", func(r row) string { return r.n }),
		present.Float("", "intervals", func(r row) stats.Number { return r.Intervals }, present.Sig),
		present.Float("mean", "mean", func(r row) stats.Number { return r.Mean }, present.Sig),
		present.Float("variance", "variance", func(r row) stats.Number { return r.Variance }, present.Sig),
		present.Float("dispersion_index", "dispersion", func(r row) stats.Number { return r.Dispersion }, present.Sig),
		present.Float("max", "max", func(r row) stats.Number { return r.Max }, present.Sig),
		present.Float("max_start_s", "", func(r row) stats.Number { return r.MaxStart }, nil),
		present.Text("", "max at", func(r row) string {
			if d.Bursts.Jobs == 0 {
				return "-"
			}
			return present.Moment(d.Clock, r.MaxStart)
		}),
	}
	for i, lag := range d.Bursts.Interarrivals.Autocorrelation {
		columns = append(columns, present.Float(fmt.Sprintf("autocorrelation_%d", lag.Lag), fmt.Sprintf("r(%d)", lag.Lag),
			func(r row) stats.Number { return r.Autocorrelation[i].R }, func(x float64) string { return present.Fixed(x, 3) }))
	}
	return columns
}

// burstsOf is how bursty submissions are.
func burstsOf(d *inspect.Description) describeSection {
	b, columns := d.Bursts, burstColumns(d)
	var rows []burstRow
	for _, c := range b.Counts {
		rows = append(rows, burstRow{"counts", present.Full(c.Intervals), c})
	}
	i, none := b.Interarrivals, stats.Number(math.NaN())
	gaps := burstRow{"interarrivals_s", present.Whole(i.Known), stats.CountStatistics{
		Width: none, Mean: i.Mean, Variance: i.CV * i.CV * i.Mean * i.Mean, Dispersion: none, Max: i.Max, MaxStart: none, Autocorrelation: i.Autocorrelation,
	}}
	s := describeSection{title: "Submissions per interval", people: present.People(columns, rows), csv: present.CSV(columns, append(rows, gaps))}
	lags := ""
	for _, lag := range i.Autocorrelation {
		lags += fmt.Sprintf(", r(%d) %s", lag.Lag, present.Fixed(lag.R, 3))
	}
	s.after = append(s.after, fmt.Sprintf("Interarrival times: mean %s s, CV %s, %s are 0%s.\nr(k) is the autocorrelation at lag k; for a Poisson process dispersion and CV are 1 and r is 0.",
		present.Sig(i.Mean), present.Sig(i.CV), present.Percent(100*i.Zero), lags))
	if b.LeftOut > 0 {
		s.after = append(s.after, fmt.Sprintf("Left out, too far out of order: %s.", words.Counted(int64(b.LeftOut), "job")))
	}
	return s
}
