package figure

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

// arrivalsOf returns coverage and loss over time of all bounds on the same jobs;
// nothing where no sample was drawn.
func arrivalsOf(r *evaluate.WaitsResult) []Picture {
	a := r.Arrivals
	if a == nil {
		return nil
	}
	var coverages []Coverage
	var losses []Loss
	for i, s := range a.Stretches {
		n := len(s.Stretches)
		if n < 2 {
			continue
		}
		c := Coverage{Name: s.Predictor}
		l := Loss{Name: s.Predictor, Whole: 60 * float64(a.Scores[i].QuantileLoss)}
		for k, x := range s.Stretches {
			to := x.To
			if k+1 < n {
				to = s.Stretches[k+1].From // stretches adjoin
			}
			c.From, c.To, c.Share = append(c.From, x.From), append(c.To, to), append(c.Share, x.Covered)
			l.Mean = append(l.Mean, x.Loss)
		}
		l.From, l.To = c.From, c.To
		coverages, losses = append(coverages, c), append(losses, l)
	}
	if len(coverages) == 0 {
		why := fmt.Sprintf("no bounds of the sample reach over two weeks, each of %d jobs and more", score.StretchJobs)
		return []Picture{absent(WaitSampleCoverageName, why), absent(WaitSampleLossName, why)}
	}
	source := fmt.Sprintf("%s, %d jobs, in stretches of weeks with %d jobs and more", filepath.Base(r.Log.Name), a.Jobs, score.StretchJobs)
	at := dates(&r.Coverage)
	return []Picture{
		{Name: WaitSampleCoverageName, Draw: func(w io.Writer, format string) error {
			return WaitCoverage(w, format, source, r.Quantile, coverages, at)
		}},
		{Name: WaitSampleLossName, Draw: func(w io.Writer, format string) error { return WaitLoss(w, format, source, losses, at) }},
	}
}
