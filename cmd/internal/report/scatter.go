package report

import (
	"fmt"
	"slices"
	"strings"

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
		id := "wait-scatter-" + s.Predictor
		spec := figure.Find(l.pictures, id)
		if spec == nil {
			continue
		}
		predicted, _, _ := strings.Cut(spec.X.Title, " (")
		actual, _, _ := strings.Cut(spec.Y.Title, " (")
		t := page.Table{Caption: "The numbers", Head: []string{predicted, "jobs", "mean", "median"}, Folded: true}
		for _, k := range s.Scatter.Columns {
			t.Rows = append(t.Rows, []page.Cell{textCell(timeText(k.From) + " to " + timeText(k.To)), countCell(k.Jobs), timeCell(k.Mean), timeCell(k.Median)})
		}
		blocks = append(blocks, l.chart(page.Figure{ID: id, Caption: w.caption, Table: &t,
			Alt: fmt.Sprintf("The %s of %s jobs against the %s, darker where there are more jobs, with the mean and the median of the actual waits for each predicted one.", actual, present.Grouped(int64(jobs)), predicted)}, spec))
	}
	return blocks
}
