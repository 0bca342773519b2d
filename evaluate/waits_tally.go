package evaluate

import (
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// waitTally gathers the scores of one predictor: over all jobs, by part of the log, by block
// of time for the intervals, and for figures.
type waitTally struct {
	call      *waits
	predictor string
	kind      string // which waits are predicted: LogWaits, ...

	score.WaitTally
	parts  []waitParts
	blocks score.Groups

	scatter score.WaitScatter
	errors  score.RunTimeTally // of waits, for the distributions of their errors
}

// newTally returns the tally of a predictor of a kind of waits; quantile is 0 for point
// predictions.
func (r *waits) newTally(kind, predictor string, quantile float64) *waitTally {
	t := &waitTally{call: r, predictor: predictor, kind: kind, blocks: score.Groups{Waits: true, Quantile: quantile}}
	t.Quantile = quantile
	for _, by := range r.o.By {
		t.parts = append(t.parts, waitParts{cut{by, r.clock}, map[int64]*score.WaitTally{}})
	}
	return t
}

func (t *waitTally) isBound() bool { return t.Quantile > 0 }

// unbounded returns a point prediction as a bound without quantile and confidence.
func unbounded(p workload.Prediction) predict.Bound {
	b := predict.NoBound()
	b.Seconds, b.Observations = p.Seconds, p.Observations
	return b
}

// add tallies a job with its prediction, and passes the prediction to Predicted.
func (t *waitTally) add(q *workload.Request, said predict.Bound, actual float64) error {
	predicted := said.Seconds
	t.Add(predicted, actual)
	if span := &t.call.span; span.length > 0 {
		t.blocks.Add(span.of(q.Submit), []workload.Prediction{{Seconds: predicted}}, actual, score.CommonJob{})
	}
	for _, p := range t.parts {
		part := p.part(q, 0)
		if p.tallies[part] == nil {
			p.tallies[part] = &score.WaitTally{Quantile: t.Quantile}
		}
		p.tallies[part].Add(predicted, actual)
	}
	if t.call.o.Pictures {
		t.scatter.Add(predicted, actual)
		t.errors.Add(predicted, actual)
	}
	if t.call.o.Predicted == nil || math.IsNaN(predicted) {
		return nil
	}
	return t.call.o.Predicted(newWaitPrediction(q, t.kind, t.predictor, said, actual))
}

// result returns the predictor's row of the result.
func (t *waitTally) result() WaitScore {
	w := t.Result()
	in := t.blocks.WaitIntervals(t.call.o.Replicates, IntervalLevel, t.call.o.Seed)
	s := WaitScore{
		Predictor: t.predictor, Waits: t.kind, Wait: w,
		AccuracyLow: stats.Number(in.Accuracy.Low), AccuracyHigh: stats.Number(in.Accuracy.High),
		CoverageLow: stats.Number(in.Held.Low), CoverageHigh: stats.Number(in.Held.High),
		CorrelationLogLow: stats.Number(in.CorrelationLog.Low), CorrelationLogHigh: stats.Number(in.CorrelationLog.High),
		Parts: t.partScores(), Bound: t.isBound(), Quantile: t.Quantile,
	}
	if t.call.o.Pictures {
		s.Scatter = t.scatter.Result()
		s.Accuracy, s.Error = t.errors.AccuracyDistribution(), t.errors.AbsoluteErrorDistribution()
	}
	return s
}

// WaitsParts returns the ways of cutting a log into parts: by site, and by calendar month.
func WaitsParts() []string { return []string{"site", "month"} }

// waitParts is one way of cutting the log into parts, with the tallies of the parts.
type waitParts struct {
	cut
	tallies map[int64]*score.WaitTally
}

// partScores returns the scores of the parts, in order of the ways of cutting and of the parts.
func (t *waitTally) partScores() []WaitsPart {
	var out []WaitsPart
	for _, p := range t.parts {
		for _, part := range slices.Sorted(maps.Keys(p.tallies)) {
			w := p.tallies[part].Result()
			out = append(out, WaitsPart{
				Predictor: t.predictor, Bound: t.isBound(), By: p.by, Part: p.name(part), Jobs: w.Jobs, Predicted: w.Predicted, Coverage: w.Coverage,
				MeanAccuracy: w.MeanAccuracy, AbsoluteErrorMean: w.AbsoluteErrorMean, CorrelationLog: w.CorrelationLog,
				UnderPct: w.UnderPct, BoundLoss: w.BoundLoss,
			})
		}
	}
	return out
}

// submissions is the time span of a log's submissions, in seconds, and the blocks of time
// that a bootstrap draws.
type submissions struct {
	first, last float64
	some        bool // a submission has been added

	length float64 // length of a block, s; 0 if the log is too short
	name   string  // name of a block: "week" or "day"
}

func (s *submissions) add(at float64) {
	if math.IsNaN(at) || math.IsInf(at, 0) {
		return
	}
	if !s.some {
		s.first, s.last, s.some = at, at, true
	}
	s.first, s.last = min(s.first, at), max(s.last, at)
}

// leastBlocks is the smallest number of blocks of time that are drawn: with fewer, the
// variation between blocks is poorly known.
const leastBlocks = 10

// settle chooses the blocks: weeks, or days if there are too few weeks.
func (s *submissions) settle() {
	for _, b := range []struct {
		seconds float64
		name    string
	}{{7 * 86400, "week"}, {86400, "day"}} {
		if s.last-s.first >= leastBlocks*b.seconds {
			s.length, s.name = b.seconds, b.name
			return
		}
	}
}

// of returns the number of the block of a submission.
func (s *submissions) of(at float64) int64 {
	return int64(math.Floor(max(-1e15, min(1e15, (at-s.first)/s.length))))
}
