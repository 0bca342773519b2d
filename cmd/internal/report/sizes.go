package report

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
)

func (l *Report) sizes() []page.Block {
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
	c := d.Columns["size_processors"]
	blocks = append(blocks, paragraph("%s %% of the jobs are serial, half take no more than %s processors and three quarters no more than %s; the largest takes %s.",
		present.Fixed(100*d.Serial, 1), sig(float64(c.Median)), sig(float64(c.Q75)), sig(float64(c.Max))))
	if t := l.sizeTable(); t != nil {
		blocks = append(blocks, page.Block{Table: t})
	}
	return blocks
}

// sizeTable has the groups of sizes, with their run times.
func (l *Report) sizeTable() *page.Table {
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
