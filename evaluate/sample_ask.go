package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"iter"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Ask replays the log as it was, and records what the predictors that look at the
// machine forecast for each job of the sample.
func (s *Sample) Ask(ctx context.Context, jobs iter.Seq2[workload.Job, error], o StandingOptions) error {
	p, err := newStanding(&o)
	if err != nil {
		return err
	}
	from, to := o.Share.Of(int64(len(s.jobs)))
	var failed error
	c := predict.ArrivalConfig{
		Processors: o.Processors, Sites: o.Sites,
		Chosen: func(r *workload.Request) bool {
			i, ok := s.at[r.Row]
			return ok && int64(i) >= from && int64(i) < to
		},
		Overfull:  func(_, _ int64) { s.overfull++ },
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
			for k, forecasts := range s.forecasts(name) {
				forecasts[s.at[a.Request.Row]] = said[k]
			}
		}
	}
	return failed
}
