package evaluate

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// AskStanding replays the log as it was, for the predictors of a replay, and records what
// those that a sample expects forecast for each of its jobs. A job of several samples is
// asked about once.
func AskStanding(ctx context.Context, jobs iter.Seq2[workload.Job, error], replay predict.Replay, samples ...*Sample) error {
	replay.Chosen = func(r *workload.Request) bool {
		return slices.ContainsFunc(samples, func(s *Sample) bool { return s.has(r) })
	}
	predictors := replay.Predictors
	replay.Predictors = slices.Clone(predictors)
	for i, p := range predictors {
		if !slices.ContainsFunc(samples, func(s *Sample) bool { return s.forecasts(p.Name()) != nil }) {
			replay.Predictors[i] = unasked{p}
		}
	}
	for j, err := range replay.Jobs(workload.Until(ctx, jobs)) {
		if err != nil {
			return err
		}
		for _, s := range samples {
			for i, p := range predictors {
				s.record(p.Name(), j.Request.Row, j.Forecasts[i], j.Actual)
			}
			if j.Overfull && s.has(&j.Request) {
				s.overfull++
			}
		}
	}
	return nil
}

// unasked is a predictor that only learns.
type unasked struct{ predict.Predictor }

func (unasked) Ask(*predict.Snapshot, *workload.Request) (predict.Forecast, error) {
	return predict.Forecast{}, nil
}

// has reports whether a job belongs to the sample.
func (s *Sample) has(r *workload.Request) bool {
	_, ok := s.at[r.Row]
	return ok
}

// record keeps a predictor's forecast for the job of a row, which waited so long. It
// ignores jobs outside the sample.
func (s *Sample) record(predictor string, row int64, f predict.Forecast, actual float64) {
	i, ok := s.at[row]
	if !ok {
		return
	}
	for k, forecasts := range s.forecasts(predictor) {
		out := score.NoForecast()
		if f.Bounds != nil {
			out.Bound = f.Bounds[k].Seconds
		}
		if !math.IsInf(f.Expected, 1) { // else some schedules have no end in sight
			out.Point = f.Expected
			if f.Waits != nil {
				out.CRPS = stats.CRPS(f.Waits, actual)
			}
		}
		forecasts[i] = out
	}
}
