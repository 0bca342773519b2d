package report

import (
	"fmt"
	"io"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

func (l *logReport) runTimes() []page.Block {
	if l.fitted == nil {
		return missing(l.why["fit"])
	}
	x, why := l.fittedTo(l.fitted, fit.RunTime)
	if why != "" {
		return missing(why)
	}
	own, sample, data, laws, jobs := x.own, x.sample, x.data, x.laws, x.sample.Jobs()
	best := own[0]
	c := l.describe.Columns["run_time_s"]
	words := fmt.Sprintf("Half of the jobs run no longer than %s. The closest distribution, %s, differs from the log by at most %s %% of the jobs.", timeText(float64(c.Median)), best.Family, present.Fixed(100*best.KS.D, 1))
	alt := fmt.Sprintf("Cumulative distribution of the run times of %s over a logarithmic axis from %s to %s, with %s. %s",
		countedText(jobs, "job"), timeText(sample.Values[0]), timeText(sample.Values[len(sample.Values)-1]), countedText(int64(len(laws)), "fitted distribution"), words)
	blocks := []page.Block{paragraph("%s", words)}
	f := page.Figure{ID: "run-times-distribution", Caption: "How long jobs run, and the closest distributions", Alt: alt, Wide: true, Table: x.shares()}
	if points, err := figure.DistributionPoints(data, laws); err == nil {
		f.Chart = distributionChart(points)
	}
	blocks = append(blocks, l.picture(f, func(w io.Writer) error {
		return figure.Distribution(w, figure.Compact, l.name, figure.RunTime, data, laws)
	}))
	blocks = append(blocks, x.quantiles("run-times-qq"), x.probabilities("run-times-pp")) // squares side by side
	blocks = append(blocks, l.picture(page.Figure{ID: "run-times-density", Caption: "Density of ln(run time)",
		Alt: fmt.Sprintf("Histogram of the logarithm of the run times, with the densities of %s.", countedText(int64(len(laws)), "fitted distribution")), Table: histogramTable(data)},
		func(w io.Writer) error { return figure.Density(w, figure.Compact, l.name, figure.RunTime, data, laws) }))
	blocks = append(blocks, x.goodness("The fits and their goodness")...)
	return append(blocks, tableOf(l.parametersTable()), paragraph("%s", l.drawnHow()))
}

func distributionChart(points []figure.Points) *page.Chart {
	one := 1.0
	c := page.Chart{X: page.Axis{Title: "run time", Kind: "duration"}, Y: page.Axis{Title: "share of jobs that run no longer", Kind: "share", Min: new(float64), Max: &one}, At: points[0].X}
	for i, p := range points {
		kind := "law"
		if i == 0 {
			kind = "data"
		}
		c.Lines = append(c.Lines, page.Line{Name: p.Name, Kind: kind, Y: p.Y})
	}
	return &c
}

// histogramTable has the bars of the density.
func histogramTable(s figure.Sample) *page.Table {
	b, err := figure.Histogram(s)
	if err != nil {
		return nil
	}
	t := page.Table{Caption: "The numbers", Head: []string{"run time", "share of jobs"}, Folded: true}
	for i := range b.From {
		t.Rows = append(t.Rows, []page.Cell{textCell(timeText(b.From[i]) + " to " + timeText(b.To[i])), shareCell(b.Share[i])})
	}
	return &t
}

func (l *logReport) bySize() []page.Block {
	c := l.site()
	switch {
	case l.fitted == nil:
		return missing(l.why["fit"])
	case c == nil || len(c.RunTimes.Groups) < 2:
		return missing("Fewer than two groups of sizes have enough jobs to tell whether run times depend on size.")
	}
	groups, curves := figure.SharesBySizeOf(c.RunTimes)
	t := page.Table{Caption: "The groups of sizes", Head: []string{"processors", "jobs", "median size", "p", "D with it"}, Folded: true}
	for _, g := range c.RunTimes.Groups {
		t.Rows = append(t.Rows, []page.Cell{textCell(present.Range(g.Smallest, g.Largest)), countCell(g.Jobs), sigCell(g.Median), fixedCell(g.P, 4), fixedCell(g.D, 4)})
	}
	forms := page.Table{Beside: true, Caption: "The forms of p(size)", Head: []string{"form, by groups", "intercept", "slope", "D", "mean D in groups", "worst"}}
	for _, s := range c.RunTimes.Shares {
		forms.Rows = append(forms.Rows, []page.Cell{textCell(present.ShareName(c.RunTimes, s) + ", " + s.Estimator), sigCell(s.Intercept), sigCell(s.Slope), fixedCell(s.D, 4), fixedCell(s.DGroups, 4), fixedCell(s.DWorst, 4)})
	}
	first, last := c.RunTimes.Groups[0], c.RunTimes.Groups[len(c.RunTimes.Groups)-1]
	alt := fmt.Sprintf("Share of short run times by size: %s among jobs of %s %s, %s among those of %s, with %s.",
		present.Fixed(first.P, 2), present.Range(first.Smallest, first.Largest), words.Noun(int(first.Largest), "processor"), present.Fixed(last.P, 2), present.Range(last.Smallest, last.Largest), countedText(int64(len(curves)), "fitted form"))
	return []page.Block{
		l.picture(page.Figure{ID: "share-by-size", Caption: "p(size), the share of short jobs", Alt: alt, Table: &t},
			func(w io.Writer) error { return figure.ShareBySize(w, figure.Compact, l.name, groups, curves) }),
		tableOf(forms),
	}
}
