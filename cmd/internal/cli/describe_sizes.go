package cli

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeSizesJSON struct {
	Jobs       int64                   `json:"jobs"`
	Pearson    number                  `json:"pearson"`
	Spearman   number                  `json:"spearman"`
	RankMethod string                  `json:"ranks"`
	LogJobs    int64                   `json:"log_jobs"`
	Logarithms number                  `json:"pearson_log"`
	Groups     []describeSizeGroupJSON `json:"groups,omitempty"`
}

type describeSizeGroupJSON struct {
	From   int64  `json:"from_processors"`
	To     int64  `json:"to_processors"`
	Jobs   int64  `json:"jobs"`
	Mean   number `json:"run_time_mean_s"`
	Q25    number `json:"run_time_q25_s"`
	Median number `json:"run_time_median_s"`
	Q75    number `json:"run_time_q75_s"`
	Method string `json:"quantiles"`
}

// sizesOf is how run times go with sizes: Lublin and Feitelson (2003), section
// 6.1.
func sizesOf(js *describeJSON, d inspect.Description) describeSection {
	r := d.Relation
	out := describeSizesJSON{r.Jobs, number(r.Pearson), number(r.Spearman), r.RankMethod, r.LogJobs, number(r.Logarithms), nil}
	s := describeSection{
		title: fmt.Sprintf("Run time by size: correlation %s, of ranks %s (%s), of logarithms %s (%d jobs)",
			fixed(r.Pearson, 4), fixed(r.Spearman, 4), r.RankMethod, fixed(r.Logarithms, 4), r.LogJobs),
		people: table{head: []string{"processors", "jobs", "share", "mean s", "q25 s", "median s", "q75 s"}},
		csv:    table{head: []string{"from_processors", "to_processors", "jobs", "run_time_mean_s", "run_time_q25_s", "run_time_median_s", "run_time_q75_s"}},
	}
	for _, g := range d.SizeGroups {
		j := describeSizeGroupJSON{g.From, g.To, g.Jobs, number(g.Mean), number(g.Q25), number(g.Median), number(g.Q75), g.QuantileMethod}
		out.Groups = append(out.Groups, j)
		sizes := jobsText(g.From)
		if g.To > g.From {
			sizes += "-" + jobsText(g.To)
		}
		s.people.add(sizes, jobsText(g.Jobs), percent(float64(share(g.Jobs, r.Jobs))), sig(g.Mean), sig(g.Q25), sig(g.Median), sig(g.Q75))
		s.csv.add(jobsText(g.From), jobsText(g.To), jobsText(g.Jobs), j.Mean.text(), j.Q25.text(), j.Median.text(), j.Q75.text())
	}
	if len(d.SizeGroups) > 0 && d.SizeGroups[0].QuantileMethod != "exact" {
		s.after = append(s.after, fmt.Sprintf("Quantiles: %s.", d.SizeGroups[0].QuantileMethod))
	}
	js.Sizes = out
	return s
}
