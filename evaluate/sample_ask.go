package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// AskStanding replays the log as it was, and records what the predictors that look at the
// machine forecast for each job of the samples. A job of several samples is asked about
// once.
func AskStanding(ctx context.Context, jobs iter.Seq2[workload.Job, error], o StandingOptions, samples ...*Sample) error {
	p, err := newStanding(&o)
	if err != nil {
		return err
	}
	var failed error
	c := predict.ArrivalConfig{
		Processors: o.Processors, Sites: o.Sites,
		Chosen: func(r *workload.Request) bool {
			return slices.ContainsFunc(samples, func(s *Sample) bool { return s.has(r) })
		},
		Overfull: func(_, _ int64) {
			for _, s := range samples {
				s.overfull++
			}
		},
		Submitted: p.submitted,
		Ended: func(j *workload.Job) {
			if err := p.ended(j); failed == nil {
				failed = err
			}
		},
	}
	for a, err := range predict.Arrivals(jobs, c) {
		if err := cmp.Or(err, failed, ctx.Err()); err != nil {
			return err
		}
		if a.Machine == nil {
			continue
		}
		for _, name := range o.Predictors {
			said, err := p.ask(name, a.Machine, &a.Request, a.Actual)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			for _, s := range samples {
				s.record(name, a.Request.Row, said)
			}
		}
	}
	return failed
}

// has reports whether a job belongs to the sample.
func (s *Sample) has(r *workload.Request) bool {
	_, ok := s.at[r.Row]
	return ok
}

// record keeps a predictor's forecasts, by quantile, for the job of a row. It ignores jobs
// outside the sample.
func (s *Sample) record(predictor string, row int64, said []score.Forecast) {
	i, ok := s.at[row]
	if !ok {
		return
	}
	for k, forecasts := range s.forecasts(predictor) {
		forecasts[i] = said[k]
	}
}
