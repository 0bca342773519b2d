package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
)

func (l *logReport) sizes() []page.Block {
	d := l.describe
	if d.Columns["size_processors"].Known == 0 {
		return missing("No job has a known size.")
	}
	facts := []page.Fact{fact("Serial jobs", percentCell(100*d.Serial)), {Name: "Powers of two", Value: percentCell(100 * d.PowerOfTwo), More: "of the parallel jobs"}}
	if s := d.Sizes; s.Jobs > 0 {
		facts = append(facts, page.Fact{Name: "Size and run time", Value: fixedCell(s.Pearson, 3),
			More: fmt.Sprintf("correlation; of ranks %s, of logarithms %s", present.Fixed(s.Spearman, 3), present.Fixed(s.Logarithms, 3))})
	}
	blocks := []page.Block{{Facts: facts}}
	var after []page.Block
	c := d.Columns["size_processors"]
	alt := fmt.Sprintf("Cumulative distribution of the jobs' sizes: %s %% are serial, half take no more than %s processors and three quarters no more than %s; the largest takes %s.",
		present.Fixed(100*d.Serial, 1), sig(float64(c.Median)), sig(float64(c.Q75)), sig(float64(c.Max)))
	if l.others == nil {
		blocks = append(blocks, paragraph("%s", alt), remark("missing", "No distribution was fitted to the sizes: "+lowerFirst(l.why[othersPart])))
	} else if x, why := l.fittedTo(l.others, fit.Size); why != "" {
		blocks = append(blocks, paragraph("%s", alt), remark("missing", why))
	} else {
		blocks = append(blocks, x.distribution("sizes-distribution", "How large jobs are, and the closest distributions", alt), x.probabilities("sizes-pp"))
		after = append(append(after, tableOf(*frequentSizes(x.sample))), x.goodness("The fits of sizes and their goodness")...)
	}
	if t := l.sizeTable(); t != nil {
		blocks = append(blocks, page.Block{Table: t})
	}
	return append(blocks, after...)
}

// sizeTable has the groups of sizes, with their run times.
func (l *logReport) sizeTable() *page.Table {
	groups := l.describe.Sizes.Groups
	if len(groups) == 0 {
		return nil
	}
	t := page.Table{Caption: "Groups of sizes and their run times", Head: []string{"processors", "jobs", "mean run time", "lower quartile", "median", "upper quartile"}, Beside: true}
	for _, g := range groups {
		t.Rows = append(t.Rows, []page.Cell{textCell(present.Range(g.From, g.To)), countCell(g.Jobs), timeCell(g.Mean), timeCell(g.Q25), timeCell(g.Median), timeCell(g.Q75)})
	}
	oneUnit(&t, 2, 3, 4, 5)
	return &t
}

// frequentSizes are the sizes with the most jobs.
func frequentSizes(s fit.Sample) *page.Table {
	const most = 12
	order := make([]int, len(s.Values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Counts[b], s.Counts[a]) })
	order = order[:min(len(order), most)]
	slices.Sort(order)
	t := page.Table{Caption: fmt.Sprintf("The numbers of the %d most frequent sizes", len(order)), Head: []string{"processors", "jobs", "share"}, Folded: true}
	for _, i := range order {
		t.Rows = append(t.Rows, []page.Cell{sigCell(s.Values[i]), countCell(int64(s.Counts[i])), shareCell(s.Counts[i] / float64(s.Jobs()))})
	}
	return &t
}
