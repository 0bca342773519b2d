package cli

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeSizesJSON struct {
	Jobs       int64                   `json:"jobs"`
	Pearson    stats.Number            `json:"pearson"`
	Spearman   stats.Number            `json:"spearman"`
	RankMethod string                  `json:"ranks"`
	LogJobs    int64                   `json:"log_jobs"`
	Logarithms stats.Number            `json:"pearson_log"`
	Groups     []describeSizeGroupJSON `json:"groups,omitempty"`
}

type describeSizeGroupJSON struct {
	From   int64        `json:"from_processors"`
	To     int64        `json:"to_processors"`
	Jobs   int64        `json:"jobs"`
	Mean   stats.Number `json:"run_time_mean_s"`
	Q25    stats.Number `json:"run_time_q25_s"`
	Median stats.Number `json:"run_time_median_s"`
	Q75    stats.Number `json:"run_time_q75_s"`
	Method string       `json:"quantiles"`
}

// sizesOf is how run times go with sizes: Lublin and Feitelson (2003), section
// 6.1.
func sizesOf(js *describeJSON, d inspect.Description) describeSection {
	r := d.Relation
	out := describeSizesJSON{r.Jobs, stats.Number(r.Pearson), stats.Number(r.Spearman), r.RankMethod, r.LogJobs, stats.Number(r.Logarithms), nil}
	s := describeSection{
		title: fmt.Sprintf("Run time by size: correlation %s, of ranks %s (%s), of logarithms %s (%d jobs)",
			present.Fixed(r.Pearson, 4), present.Fixed(r.Spearman, 4), r.RankMethod, present.Fixed(r.Logarithms, 4), r.LogJobs),
		people: present.Table{Head: []string{"processors", "jobs", "share", "mean s", "q25 s", "median s", "q75 s"}},
		csv:    present.Table{Head: []string{"from_processors", "to_processors", "jobs", "run_time_mean_s", "run_time_q25_s", "run_time_median_s", "run_time_q75_s"}},
	}
	for _, g := range d.SizeGroups {
		j := describeSizeGroupJSON{g.From, g.To, g.Jobs, stats.Number(g.Mean), stats.Number(g.Q25), stats.Number(g.Median), stats.Number(g.Q75), g.QuantileMethod}
		out.Groups = append(out.Groups, j)
		sizes := jobsText(g.From)
		if g.To > g.From {
			sizes += "-" + jobsText(g.To)
		}
		s.people.Add(sizes, jobsText(g.Jobs), present.Percent(float64(share(g.Jobs, r.Jobs))), present.Sig(g.Mean), present.Sig(g.Q25), present.Sig(g.Median), present.Sig(g.Q75))
		s.csv.Add(jobsText(g.From), jobsText(g.To), jobsText(g.Jobs), present.Full(j.Mean), present.Full(j.Q25), present.Full(j.Median), present.Full(j.Q75))
	}
	if len(d.SizeGroups) > 0 && d.SizeGroups[0].QuantileMethod != "exact" {
		s.after = append(s.after, fmt.Sprintf("Quantiles: %s.", d.SizeGroups[0].QuantileMethod))
	}
	js.Sizes = out
	return s
}
