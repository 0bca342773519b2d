package cli

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeSeriesJSON struct {
	Classes     string       `json:"classes"`
	User        *int64       `json:"user_id"`
	Application *int64       `json:"application_id"`
	Jobs        int64        `json:"jobs"`
	First       int64        `json:"first_job"`
	Length      int          `json:"tested_jobs"`
	Lags        int          `json:"lags"`
	Statistic   stats.Number `json:"statistic"`
	PValue      stats.Number `json:"p_value"`
	Why         string       `json:"error,omitempty"`
}

// stationarityOf is the test of the busiest classes' run times.
func stationarityOf(js *describeJSON, d inspect.Description) describeSection {
	s := describeSection{
		title:  "Stationarity of run times in order of submission (augmented Dickey-Fuller)",
		people: present.Table{Head: []string{"classes", "class", "jobs", "tested", "lags", "statistic", "p-value", "stationary at 5%"}},
		csv:    present.Table{Head: []string{"classes", "user_id", "application_id", "jobs", "first_job", "tested_jobs", "lags", "statistic", "p_value"}},
	}
	js.Series = []describeSeriesJSON{}
	for _, r := range d.Series {
		j := describeSeriesJSON{Classes: r.Classes, Jobs: r.Jobs, First: r.First, Length: r.Test.Length, Lags: r.Test.Lags,
			Statistic: stats.Number(r.Test.Statistic), PValue: stats.Number(r.Test.PValue)}
		class := "all"
		if r.User != workload.Unknown {
			j.User, class = &r.User, "user "+jobsText(r.User)
		}
		if r.Application != workload.Unknown {
			j.Application = &r.Application
			class += ", application " + jobsText(r.Application)
		}
		stationary := "no"
		if r.Test.PValue < 0.05 {
			stationary = "yes"
		}
		tested := jobsText(int64(r.Test.Length))
		if r.First > 1 {
			tested += " from " + jobsText(r.First)
		}
		lags, statistic, p := fmt.Sprint(r.Test.Lags), present.Fixed(r.Test.Statistic, 3), present.Sig(r.Test.PValue)
		if r.Test.PValue < 1e-6 {
			p = "< 1e-6"
		}
		if r.Err != nil {
			j.Why, j.Statistic, j.PValue = r.Err.Error(), stats.Number(math.NaN()), stats.Number(math.NaN())
			lags, statistic, p, stationary = "-", "-", "-", r.Err.Error()
		}
		js.Series = append(js.Series, j)
		s.people.Add(r.Classes, class, jobsText(r.Jobs), tested, lags, statistic, p, stationary)
		s.csv.Add(r.Classes, countText(j.User), countText(j.Application), jobsText(r.Jobs), jobsText(r.First), jobsText(int64(r.Test.Length)),
			fmt.Sprint(r.Test.Lags), present.Full(j.Statistic), present.Full(j.PValue))
	}
	return s
}
