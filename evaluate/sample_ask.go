package evaluate

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// AskStanding replays the log as it was, tells the predictors of each event, and records
// what those that a sample expects forecast for each of its jobs. A job of several samples
// is asked about once. c is of the machine.
func AskStanding(ctx context.Context, jobs iter.Seq2[workload.Job, error], c predict.ArrivalConfig, predictors []standing.Predictor, samples ...*Sample) error {
	c.Chosen = func(r *workload.Request) bool {
		return slices.ContainsFunc(samples, func(s *Sample) bool { return s.has(r) })
	}
	c.Overfull = func(_, _ int64) {
		for _, s := range samples {
			s.overfull++
		}
	}
	c.Learn = func(e workload.Event) error {
		for _, p := range predictors {
			if err := p.Learn(e); err != nil {
				return err
			}
		}
		return ctx.Err()
	}
	for a, err := range predict.Arrivals(jobs, c) {
		if err != nil {
			return err
		}
		if a.Machine == nil {
			continue
		}
		for _, p := range predictors {
			if !slices.ContainsFunc(samples, func(s *Sample) bool { return s.forecasts(p.Name()) != nil }) {
				continue
			}
			f, err := p.Ask(a.Machine, &a.Request)
			if err != nil {
				return err
			}
			for _, s := range samples {
				s.record(p.Name(), a.Request.Row, f, a.Actual)
			}
		}
	}
	return nil
}

// has reports whether a job belongs to the sample.
func (s *Sample) has(r *workload.Request) bool {
	_, ok := s.at[r.Row]
	return ok
}

// record keeps a predictor's forecast for the job of a row, which waited so long. It
// ignores jobs outside the sample.
func (s *Sample) record(predictor string, row int64, f standing.Forecast, actual float64) {
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
