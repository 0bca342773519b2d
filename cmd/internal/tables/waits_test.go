package tables

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Scores on the log's waits and on simulated ones are in separate tables, each with its best; a
// table of bounds only does not give the distance from the waits.
func TestWaitsByKind(t *testing.T) {
	nan := stats.Number(math.NaN())
	one := func(name, waits string, bound bool, accuracy, loss stats.Number) evaluate.WaitScore {
		s := evaluate.WaitScore{Predictor: name, Waits: waits, Bound: bound}
		s.WaitPoints = score.WaitPoints{Jobs: 10, Predicted: 10, Coverage: nan, MeanAccuracy: score.MeanAccuracy{AccuracyMean: accuracy}, AbsoluteErrorMean: 9, UnderPct: 1}
		s.CorrelationLog, s.QuantileLoss, s.BoundMedian = nan, loss, nan
		if bound {
			s.Coverage, s.BoundMedian = 0.95, 300
		}
		return s
	}
	r := &evaluate.WaitsResult{Quantile: 0.95, Scores: []evaluate.WaitScore{
		one("downey-a", evaluate.HeadWaits, false, 0.1, nan),
		one("bmbp", evaluate.LogWaits, true, 0.4, 110),
		one("downey-b", evaluate.HeadWaits, false, 0.2, nan),
		one("qbets", evaluate.LogWaits, true, 0.3, 100),
		one("mine", "mine", false, 0.3, nan),
		one("bounds", "mine", true, 0.9, 100),
	}}
	r.Scores[0].Predicted = 9 // so that the two are of different jobs
	var w strings.Builder
	jobtest.NoError(t, Waits(r, 0).Write(&w, "table"))
	got, _, _ := strings.Cut(w.String(), "\nCompare")
	const want = `Waits in the log
predictor  jobs  predicted  covered  pinball loss  median bound
bmbp         10         10    95.0%       110 min           5 h
qbets        10         10    95.0%       100 min           5 h
smallest pinball loss: qbets

Waits: mine
predictor  jobs  predicted  covered  pinball loss  median bound
bounds       10         10    95.0%       100 min           5 h

predictor  jobs  predicted  accuracy  mean abs. error  under
mine         10         10    0.3000            9 min   1.0%

Waits at the head of a simulated queue, first come, first served
predictor  jobs  predicted  accuracy  mean abs. error  under
downey-a     10          9    0.1000            9 min   1.0%
downey-b     10         10    0.2000            9 min   1.0%
highest accuracy: downey-b (each on the jobs that it predicted, which differ)
`
	text := got
	if i := strings.Index(text, "\n\n"); strings.HasPrefix(text, "simulated queue:") {
		text = text[i+2:]
	}
	if text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
