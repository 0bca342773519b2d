package evaluate

import (
	"context"
	"math"

	"github.com/loadstone-hpc/loadstone/evaluate/board"
	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// BoardSample is the default number of jobs of each log that WaitsBoard scores.
const BoardSample = 50_000

// WaitsBoard scores predictors of wait on logs, each as Waits does on a sample
// of jobs (BoardSample of them, or Sample of the options), and ranks their
// bounds by the pinball loss over the common jobs. If the options have no
// Predictors, it scores predict.BoundNames. The options Predicted, By,
// Pictures is not used. score gives the result of one log;
// several goroutines call it.
func WaitsBoard(ctx context.Context, names []string, o WaitsOptions, score func(ctx context.Context, name string, o WaitsOptions) (*WaitsResult, error)) (*board.Board, error) {
	o.Predicted, o.By, o.Pictures = nil, nil, false
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
	b := &board.Board{
		Schema: board.Schema, Of: predictions.OfWaits, Score: "pinball_loss_common_min", Quantile: o.filled().Quantile, Sample: o.Sample, FirstJobs: o.FirstJobs,
		Replicates: o.Replicates, Seed: o.Seed, By: "week or day", Level: IntervalLevel,
	}
	var columns []board.Column
	for i, r := range results {
		columns = append(columns, waitsColumn(names[i], r))
		b.Warnings = append(b.Warnings, workload.WarningsAbout(names[i], r.Warnings)...)
	}
	b.Rank(columns, lossMean)
	return b, nil
}

// waitsColumn are the scores of one log: of predictors that bound half of its jobs or
// more, since the others do not decide which jobs are common.
func waitsColumn(name string, r *WaitsResult) board.Column {
	c := board.Column{Log: board.Log{Name: name}}
	if r.Arrivals == nil {
		return c
	}
	c.Log.Jobs, c.Log.Common = r.Arrivals.Jobs, r.Arrivals.Common
	for i := range r.Arrivals.Scores {
		s := &r.Arrivals.Scores[i]
		if s.Bounded == 0 {
			continue
		}
		e := board.Entry{Predictor: s.Predictor, Score: float64(s.CommonLoss), Coverage: float64(s.Coverage), Clusters: s.losses}
		if 2*s.Bounded < s.Jobs {
			e.Score = math.NaN()
		}
		c.Entries = append(c.Entries, e)
	}
	return c
}
