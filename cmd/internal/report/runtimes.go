package report

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
)

// drawnLaws is how many laws the chart shows: those closest to the jobs.
const drawnLaws = 4

func (l *Report) runTimes() []page.Block {
	if l.fitted == nil {
		return missing(l.why["fit"])
	}
	own, sample := l.closest(), l.fitted.Classes[0].Sample(fit.RunTime)
	if len(sample.Values) == 0 || len(own) == 0 {
		return missing("No distribution could be fitted to the run times.")
	}
	var laws []figure.Law
	for _, r := range own[:min(len(own), drawnLaws)] {
		laws = append(laws, figure.LawOf(r, sample))
	}
	jobs, best := sample.Jobs(), own[0]
	c := l.describe.Columns["run_time_s"]
	words := fmt.Sprintf("Half of the jobs run no longer than %s. The closest distribution, %s, differs from the log by at most %s %% of the jobs.", timeText(float64(c.Median)), best.Family, present.Fixed(100*best.KS.D, 1))
	alt := fmt.Sprintf("Cumulative distribution of the run times of %s over a logarithmic axis from %s to %s, with %s. %s",
		countedText(jobs, "job"), timeText(sample.Values[0]), timeText(sample.Values[len(sample.Values)-1]), countedText(int64(len(laws)), "fitted distribution"), words)
	blocks := []page.Block{paragraph("%s", words)}
	f := page.Figure{ID: "run-times-distribution", Caption: "How long jobs run, and the closest distributions", Alt: alt, Wide: true, Table: sharesTable(sample, laws)}
	s := figure.Distribution(fit.RunTime, l.name, "the log", sample, laws)
	blocks = append(blocks, l.chart(f, &s))
	blocks = append(blocks, l.goodness(jobs)...)
	return append(blocks, tableOf(l.parametersTable()))
}

// parametersTable has the parameters of the fits.
func (l *Report) parametersTable() page.Table {
	t := page.Table{Caption: "Parameters of the fits", Head: []string{"distribution and parameter", "value"}, Folded: true}
	for _, r := range l.ranked() {
		for _, p := range r.Parameters {
			t.Rows = append(t.Rows, []page.Cell{textCell(r.Family + ": " + p.Name), sigCell(p.Value)})
		}
	}
	return t
}
