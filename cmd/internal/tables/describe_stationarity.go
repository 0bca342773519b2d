package tables

import (
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

var seriesColumns = []present.Column[inspect.RunTimeSeries]{
	present.Text("classes", "classes", func(r inspect.RunTimeSeries) string { return r.Classes }),
	present.Text("", "class", func(r inspect.RunTimeSeries) string {
		class := "all"
		if r.User.Known() {
			class = "user " + present.Whole(int64(r.User))
		}
		if r.Application.Known() {
			class += ", application " + present.Whole(int64(r.Application))
		}
		return class
	}),
	present.Integer("user_id", "", func(r inspect.RunTimeSeries) workload.Integer { return r.User }),
	present.Integer("application_id", "", func(r inspect.RunTimeSeries) workload.Integer { return r.Application }),
	present.Count("jobs", "jobs", func(r inspect.RunTimeSeries) int64 { return r.Jobs }),
	present.Count("first_job", "", func(r inspect.RunTimeSeries) int64 { return r.First }),
	present.Count("tested_jobs", "", func(r inspect.RunTimeSeries) int { return r.Length }),
	present.Text("", "tested", func(r inspect.RunTimeSeries) string {
		tested := strconv.Itoa(r.Length)
		if r.First > 1 {
			tested += " from " + present.Whole(r.First)
		}
		return tested
	}),
	present.Count("lags", "", func(r inspect.RunTimeSeries) int { return r.Lags }),
	present.Text("", "lags", func(r inspect.RunTimeSeries) string {
		if r.Err != nil {
			return "-"
		}
		return strconv.Itoa(r.Lags)
	}),
	present.Float("statistic", "statistic", func(r inspect.RunTimeSeries) stats.Number { return r.Statistic }, func(x float64) string { return present.Fixed(x, 3) }),
	present.Float("p_value", "p-value", func(r inspect.RunTimeSeries) stats.Number { return r.PValue }, func(p float64) string {
		if p < 1e-6 {
			return "< 1e-6"
		}
		return present.Sig(p)
	}),
	present.Text("", "stationary at 5%", func(r inspect.RunTimeSeries) string {
		switch {
		case r.Err != nil:
			return r.Why
		case r.PValue < 0.05:
			return "yes"
		}
		return "no"
	}),
}

// stationarityOf is the test of the busiest classes' run times.
func stationarityOf(d *inspect.Description) describeSection {
	return describeSection{
		title:  "Stationarity of run times in order of submission (augmented Dickey-Fuller)",
		people: present.People(seriesColumns, d.Series),
		csv:    present.CSV(seriesColumns, d.Series),
	}
}
