package evaluate

import (
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// waitTally gathers what one predictor is worth, as a whole and by parts, in
// blocks of time, and for pictures.
type waitTally struct {
	run       *waits
	predictor string
	waits     string      // which are predicted
	same      *score.Wait // with the parameters of the same interval

	score.WaitTally
	parts  map[waitsPartKey]*score.WaitTally
	blocks score.WaitBlocks

	scatter score.WaitScatter
	errors  score.RunTimeTally // of waits here, for their distributions
}

// newTallies makes those of some predictors.
func (r *waits) newTallies(waits string, isBound func(name string) bool, names []string) []*waitTally {
	var all []*waitTally
	for _, name := range names {
		t := &waitTally{run: r, predictor: name, waits: waits, parts: map[waitsPartKey]*score.WaitTally{}}
		if isBound(name) {
			t.bound(r.o.Quantile)
		}
		all = append(all, t)
	}
	return all
}

// bound says that the predictions are bounds, and of which quantile of the waits.
func (t *waitTally) bound(quantile float64) { t.Quantile, t.blocks.Quantile = quantile, quantile }

func (t *waitTally) isBound() bool { return t.Quantile > 0 }

// unbounded is a point prediction as a bound of which nothing was asked.
func unbounded(p workload.Prediction) predict.Bound {
	b := predict.NoBound()
	b.Seconds, b.Observations = p.Seconds, p.Observations
	return b
}

// add enters a job, and hands its prediction out.
func (t *waitTally) add(q *workload.Request, said predict.Bound, actual float64) error {
	predicted := said.Seconds
	t.Add(predicted, actual)
	if span := &t.run.span; span.length > 0 {
		t.blocks.Add(span.of(q.Submit), predicted, actual)
	}
	for _, by := range t.run.o.By {
		t.part(by, q).Add(predicted, actual)
	}
	if t.run.o.Pictures {
		t.scatter.Add(predicted, actual)
		t.errors.Add(predicted, actual)
	}
	if t.run.o.Predicted == nil || math.IsNaN(predicted) {
		return nil
	}
	return t.run.o.Predicted(newWaitPrediction(q, t.waits, t.predictor, said, actual))
}

// result is the predictor's row of the result.
func (t *waitTally) result() WaitScore {
	w := t.Result()
	in := t.blocks.Intervals(t.run.o.Replicates, IntervalLevel, t.run.o.Seed)
	none := score.Interval{Low: math.NaN(), High: math.NaN()}
	if t.isBound() {
		in.CorrelationLog = none
	} else {
		in.Held = none
	}
	s := WaitScore{
		Predictor: t.predictor, Waits: t.waits, Wait: w,
		AccuracyLow: stats.Number(in.Accuracy.Low), AccuracyHigh: stats.Number(in.Accuracy.High),
		CoverageLow: stats.Number(in.Held.Low), CoverageHigh: stats.Number(in.Held.High),
		CorrelationLogLow: stats.Number(in.CorrelationLog.Low), CorrelationLogHigh: stats.Number(in.CorrelationLog.High),
		Outwaited: t.Outwaited,
		Parts:     t.partScores(), Bound: t.isBound(), Quantile: t.Quantile,
	}
	if t.same != nil {
		loss := t.same.CorrelationLog - w.CorrelationLog
		s.SameCorrelationLog, s.CorrelationLogLoss = &t.same.CorrelationLog, &loss
	}
	if clusters := t.blocks.Clusters(); t.run.o.Replicates > 0 && len(clusters.Sums) > 0 {
		s.Sums = &score.WaitClusters{Clusters: clusters}
	}
	if t.run.o.Pictures {
		s.Scatter = t.scatter.Result()
		s.Accuracy, s.Error = t.errors.AccuracyDistribution(), t.errors.AbsoluteErrorDistribution()
	}
	return s
}
