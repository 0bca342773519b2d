package tables

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

func sizeColumns(all int64) []present.Column[inspect.SizeGroup] {
	type row = inspect.SizeGroup
	return []present.Column[row]{
		present.Text("", "processors", func(g row) string { return present.Range(g.From, g.To) }),
		present.Count("from_processors", "", func(g row) int64 { return g.From }),
		present.Count("to_processors", "", func(g row) int64 { return g.To }),
		present.Count("jobs", "jobs", func(g row) int64 { return g.Jobs }),
		present.Text("", "share", func(g row) string { return present.Percent(100 * float64(g.Jobs) / float64(all)) }),
		present.Float("run_time_mean_s", "mean s", func(g row) stats.Number { return g.Mean }, present.Sig),
		present.Float("run_time_q25_s", "q25 s", func(g row) stats.Number { return g.Q25 }, present.Sig),
		present.Float("run_time_median_s", "median s", func(g row) stats.Number { return g.Median }, present.Sig),
		present.Float("run_time_q75_s", "q75 s", func(g row) stats.Number { return g.Q75 }, present.Sig),
	}
}

// sizesOf is how run times go with sizes: Lublin and Feitelson (2003), section
// 6.1.
func sizesOf(d *inspect.Description) describeSection {
	r, columns := d.Sizes, sizeColumns(d.Sizes.Jobs)
	s := describeSection{
		title: fmt.Sprintf("Run time by size: correlation %s, of ranks %s (%s), of logarithms %s (%d jobs)",
			present.Fixed(r.Pearson, 4), present.Fixed(r.Spearman, 4), r.RankMethod, present.Fixed(r.Logarithms, 4), r.LogJobs),
		people: present.People(columns, r.Groups),
		csv:    present.CSV(columns, r.Groups),
	}
	if len(r.Groups) > 0 {
		s.quantilesBy(r.Groups[0].Method)
	}
	return s
}
