package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
)

// scatterWords are the predictors whose predictions have a scatter plot, one of
// each kind.
var scatterWords = []struct{ predictor, caption string }{
	{"downey-a", "Downey's predictor A at the head of the queue"},
	{"simulated", "The queue simulated with predicted run times"},
	{"bmbp", "The bound bmbp"},
}

// scatters are predicted and actual waits, by some predictors.
func (l *Report) scatters(predictors ...string) []page.Block {
	var blocks []page.Block
	for _, w := range scatterWords {
		if !slices.Contains(predictors, w.predictor) {
			continue
		}
		s := l.waited.Score(w.predictor)
		if s == nil {
			continue
		}
		jobs := s.Scatter.Jobs
		if jobs == 0 {
			blocks = append(blocks, remark("missing", w.caption+" is not drawn: nothing was predicted."))
			continue
		}
		points := figure.WaitPointsOf(s)
		chart, table := scatterChart(points)
		blocks = append(blocks, l.kept("wait-scatter-"+s.Predictor, page.Figure{Caption: w.caption, Chart: chart, Table: table,
			Alt: fmt.Sprintf("The %s of %s jobs against the %s, darker where there are more jobs, with the mean and the median of the actual waits for each predicted one.", points.Actual, present.Grouped(int64(jobs)), points.Predicted)})...)
	}
	return blocks
}

// scatterChart is WaitScatter's for a closer look, and its columns as a table.
func scatterChart(p figure.WaitPoints) (*page.Chart, *page.Table) {
	t := page.Table{Caption: "The numbers", Head: []string{p.Predicted, "jobs", "mean", "median"}, Folded: true}
	x, y, err := p.Ranges()
	if err != nil {
		return nil, &t
	}
	c := page.Chart{
		X:     page.Axis{Title: p.Predicted, Kind: "duration", Min: &x[0], Max: &x[1]},
		Y:     page.Axis{Title: p.Actual, Kind: "duration", Min: &y[0], Max: &y[1]},
		Cells: &page.Cells{Side: p.Side},
	}
	for _, cell := range p.Cells {
		c.Cells.X, c.Cells.Y, c.Cells.Jobs = append(c.Cells.X, cell.Predicted), append(c.Cells.Y, cell.Actual), append(c.Cells.Jobs, cell.Jobs)
	}
	mean, median, same := page.Line{Name: "mean", Kind: "law"}, page.Line{Name: "median", Kind: "law"}, page.Line{Name: "identity", Kind: "data"}
	for _, k := range p.Columns {
		t.Rows = append(t.Rows, []page.Cell{textCell(timeText(k.From) + " to " + timeText(k.To)), countCell(k.Jobs), timeCell(k.Mean), timeCell(k.Median)})
		a, b := max(1, k.Mean), max(1, k.Median)
		if k.Jobs < figure.FewestInColumn {
			a, b = math.NaN(), math.NaN()
		}
		at := math.Sqrt(k.From) * math.Sqrt(k.To)
		c.At = append(c.At, at)
		mean.Y, median.Y, same.Y = append(mean.Y, a), append(median.Y, b), append(same.Y, at)
	}
	c.Lines = []page.Line{mean, median, same}
	return &c, &t
}
