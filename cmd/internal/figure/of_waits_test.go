package figure

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/score"
)

// Figure 4 of Sonmez and others (2009), of three waits.
func TestWaitErrorsDrawnAreThoseScored(t *testing.T) {
	var r score.RunTimeTally
	// Accuracies 0.5, 0.25 and 1; errors 10, 30 and 0 s.
	for _, p := range [][2]float64{{10, 20}, {40, 10}, {7, 7}} {
		r.Add(p[0], p[1])
	}
	processors := int64(4)
	all := OfWaits(&evaluate.WaitsResult{Processors: &processors, Scores: []evaluate.WaitScore{
		{Predictor: "simulated", Waits: evaluate.QueueWaits, Accuracy: r.AccuracyDistribution(), Error: r.AbsoluteErrorDistribution()}}})
	for _, name := range []string{WaitAccuracyName, WaitErrorName} {
		p, ok := Find(all, name)
		var svg strings.Builder
		if !ok || p.Draw(&svg, "svg") != nil || !strings.Contains(svg.String(), ">simulated<") {
			t.Errorf("%s: %t %.300s", name, ok, svg.String())
		}
	}
	got := sharesOf("simulated", r.AccuracyDistribution())
	if len(got.AtMost) != 101 || got.AtMost[24] != 0 || got.AtMost[25] != 1./3 || got.AtMost[50] != 2./3 || got.AtMost[99] != 2./3 || got.AtMost[100] != 1 {
		t.Errorf("%v", got.AtMost)
	}
}

// Twelve cells are a decade, and the axes tell bounds, and times at the head of the
// queue.
func TestWaitPoints(t *testing.T) {
	for _, c := range []struct {
		score             evaluate.WaitScore
		predicted, actual string
	}{
		{evaluate.WaitScore{Waits: evaluate.LogWaits, Bound: true}, "bound of the wait", "actual wait"},
		{evaluate.WaitScore{Waits: evaluate.QueueWaits}, "predicted wait", "actual wait"},
		{evaluate.WaitScore{Waits: evaluate.HeadWaits}, "predicted time at the head of the queue", "actual time at the head of the queue"},
	} {
		p := WaitPointsOf(&c.score)
		if p.Predicted != c.predicted || p.Actual != c.actual || math.Abs(math.Pow(p.Side, 12)-10) > 1e-12 {
			t.Errorf("%s: %s and %s, cells of %g", c.score.Waits, p.Predicted, p.Actual, p.Side)
		}
	}
}
