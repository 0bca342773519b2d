package evaluate

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate/board"
	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

const (
	// boardLogs is the number of logs scored at once: enough to use a few cores, and
	// few enough to fit in memory.
	boardLogs = 2
	// BoardSample is the default number of jobs of each log that WaitsBoard scores.
	BoardSample = 50_000
)

// logsAtOnce returns the number of logs to score at once: one if there are external programs.
func logsAtOnce(c programs) int {
	if len(c) > 0 {
		return 1
	}
	return boardLogs
}

// boardResult is the result of one log.
type boardResult interface {
	boardColumn(name string) board.Column
	warnings() []workload.Warning
}

func (r *RunTimesResult) warnings() []workload.Warning { return r.Warnings }
func (r *WaitsResult) warnings() []workload.Warning    { return r.Warnings }

// rank scores each log with one, atOnce of them at a time, and ranks the predictors by the
// score that of computes from sums. The error is that of the first log that has one.
func rank[R boardResult](ctx context.Context, b *board.Board, names []string, atOnce int, of func(score.Sums) float64, one func(name string) (R, error)) (*board.Board, error) {
	results := make([]R, len(names))
	err := par.Run(ctx, min(atOnce, par.Workers(0)), len(names), func(i int) (err error) {
		results[i], err = one(names[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	var columns []board.Column
	for i, r := range results {
		columns = append(columns, r.boardColumn(names[i]))
		b.Warnings = append(b.Warnings, workload.WarningsAbout(names[i], r.warnings())...)
	}
	b.Schema, b.Level = board.Schema, IntervalLevel
	b.Rank(columns, of)
	return b, nil
}

// RunTimesBoard scores predictors of run time on logs, each as RunTimes does, and ranks
// them by their accuracy over the common jobs. It ignores the options Own, Predicted and
// By. one returns the result of a log; several goroutines call it.
func RunTimesBoard(ctx context.Context, names []string, o RunTimesOptions, one func(ctx context.Context, name string, o RunTimesOptions) (*RunTimesResult, error)) (*board.Board, error) {
	o.Own, o.Predicted, o.By = nil, nil, nil
	if err := o.Validate(); err != nil {
		return nil, err
	}
	b := &board.Board{Of: predictions.OfRunTimes, Score: "accuracy_common_mean", Replicates: o.Replicates, Seed: o.Seed, By: "user"}
	return rank(ctx, b, names, logsAtOnce(o.Programs), score.Sums.AccuracyMean, func(name string) (*RunTimesResult, error) { return one(ctx, name, o) })
}

// boardColumn returns the scores of one log. Without common jobs, scores cannot be compared
// and are NaN.
func (r *RunTimesResult) boardColumn(name string) board.Column {
	c := board.Column{Log: board.Log{Name: name, Jobs: r.Log.Jobs}}
	for i := range r.Scores {
		s := &r.Scores[i]
		c.Log.Common = max(c.Log.Common, s.CommonJobs)
		e := board.Entry{Predictor: s.Predictor, Classes: s.Classes, Score: math.NaN(), Coverage: float64(s.Coverage), Clusters: s.common}
		if s.CommonJobs > 0 {
			e.Score = float64(s.AccuracyCommon)
		}
		if s.Predictor == userEstimate { // its score is the same under all classes
			if e.Classes = "all"; slices.ContainsFunc(c.Entries, func(e board.Entry) bool { return e.Predictor == userEstimate }) {
				continue
			}
		}
		c.Entries = append(c.Entries, e)
	}
	return c
}

// WaitsBoard scores predictors of wait on logs, each as Waits does on a sample
// of jobs (BoardSample of them, or Sample of the options), and ranks their
// bounds by the pinball loss over the common jobs. If the options have no
// Predictors, it scores predict.BoundNames. It ignores the options Predicted, By and
// Pictures. one returns the result of a log; several goroutines call it.
func WaitsBoard(ctx context.Context, names []string, o WaitsOptions, one func(ctx context.Context, name string, o WaitsOptions) (*WaitsResult, error)) (*board.Board, error) {
	o.Predicted, o.By, o.Pictures = nil, nil, false
	if len(o.Predictors) == 0 {
		o.Predictors = predict.BoundNames()
	}
	o.Sample = cmp.Or(o.Sample, BoardSample)
	if err := o.Validate(); err != nil {
		return nil, err
	}
	b := &board.Board{
		Of: predictions.OfWaits, Score: "pinball_loss_common_min", Quantile: o.filled().Quantile, Sample: o.Sample, FirstJobs: o.FirstJobs,
		Lower: true, Replicates: o.Replicates, Seed: o.Seed, By: "week or day",
	}
	return rank(ctx, b, names, logsAtOnce(o.Programs), score.Sums.LossMean, func(name string) (*WaitsResult, error) { return one(ctx, name, o) })
}

// boardColumn returns the scores of one log. A predictor that bounds fewer than half of the
// jobs has no score, since it does not affect which jobs are common; one that bounds none
// has no entry.
func (r *WaitsResult) boardColumn(name string) board.Column {
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
