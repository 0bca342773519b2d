package evaluate

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// BoardSample is how many jobs of each log WaitsBoard scores unless told otherwise.
const BoardSample = 50_000

// WaitsBoard scores predictors of wait on logs, each as Waits does on a sample of jobs
// (BoardSample of them, or Sample of the options), and ranks their bounds by the
// pinball loss over the common jobs. Without Predictors of the options these are
// predict.BoundNames. Own, Predicted, By, Calibration and Pictures are not used. score
// gives the result of one log; several goroutines call it.
func WaitsBoard(ctx context.Context, names []string, o WaitsOptions, score func(ctx context.Context, name string, o WaitsOptions) (*WaitsResult, error)) (*Board, error) {
	o.Own, o.Predicted, o.By, o.Calibration, o.Pictures = nil, nil, nil, false, false
	if len(o.Predictors) == 0 {
		o.Predictors = predict.BoundNames()
	}
	if o.Sample == 0 {
		o.Sample = BoardSample
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	results, err := scoreLogs(len(names), boardLogs, func(i int) (*WaitsResult, error) { return score(ctx, names[i], o) })
	if err != nil {
		return nil, err
	}
	b := &Board{
		Schema: BoardSchema, Of: PredictedWaits, Score: "pinball_loss_common_min", Quantile: o.filled().Quantile, Sample: o.Sample, FirstJobs: o.FirstJobs,
		Replicates: o.Replicates, Seed: o.Seed, By: "week or day", Level: IntervalLevel,
	}
	var columns []boardColumn
	for i, r := range results {
		columns = append(columns, waitsColumn(names[i], r))
		b.Warnings = append(b.Warnings, warningsAbout(names[i], r.Warnings)...)
	}
	b.board(columns, lossMean)
	return b, nil
}

// waitsColumn are the scores of one log: of predictors that bound half of its jobs or
// more, since the others do not decide which jobs are common.
func waitsColumn(name string, r *WaitsResult) boardColumn {
	c := boardColumn{log: BoardLog{Name: name}}
	if r.Arrivals == nil {
		return c
	}
	c.log.Jobs, c.log.Common = r.Arrivals.Jobs, r.Arrivals.Common
	for i := range r.Arrivals.Scores {
		s := &r.Arrivals.Scores[i]
		if s.Bounded == 0 {
			continue
		}
		e := boardEntry{predictor: s.Predictor, score: float64(s.CommonLoss), coverage: float64(s.Coverage), clusters: s.losses}
		if 2*s.Bounded < s.Jobs {
			e.score = math.NaN()
		}
		c.entries = append(c.entries, e)
	}
	return c
}

// lossMean is the mean of what losses put into the sums, minutes.
func lossMean(s score.Sums) float64 { return s.Accuracy / s.Predicted / 60 }

// losses are the losses of a predictor's bounds on the common jobs, s, in the place of
// accuracies, by week of submission or, of a short sample, by day; nil of a shorter one.
func (s *Sample) losses(said []score.Forecast, quantile float64, common []bool) *score.Clusters {
	var span submissions
	for i := range s.jobs {
		span.add(s.jobs[i].Submit)
	}
	if span.settle(); span.length == 0 {
		return nil
	}
	blocks := map[int64]*score.Sums{}
	for i := range s.jobs {
		if !common[i] || math.IsNaN(said[i].Bound) {
			continue
		}
		block := span.of(s.jobs[i].Submit)
		if blocks[block] == nil {
			blocks[block] = new(score.Sums)
		}
		blocks[block].Predicted++
		blocks[block].Accuracy += stats.QuantileLoss(quantile, said[i].Bound, s.jobs[i].Actual)
	}
	c := &score.Clusters{}
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		c.Sums = append(c.Sums, *blocks[block])
	}
	return c
}
