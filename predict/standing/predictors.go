package standing

import (
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// schedule is one schedule with the given run times.
type schedule struct {
	*past
	name   string
	length predict.RunLength
	why    string // a length may be unknown
}

// Name implements predict.Predictor.
func (s *schedule) Name() string { return s.name }

// Ask implements predict.Predictor. The wait by the users' estimates is also its bound.
func (s *schedule) Ask(m *predict.Snapshot, r *workload.Request) (predict.Forecast, error) {
	wait, err := m.ScheduledWait(s.Policy, r, s.length)
	var unknown *predict.UnknownLengthError
	switch {
	case s.name == Estimates && errors.As(err, &unknown) && unknown.Job == predict.TheRequest:
		return missing(NoTime)
	case errors.As(err, &unknown):
		return missing("%v: it is %s", err, s.why)
	case errors.Is(err, sched.ErrNoEstimates):
		return missing("%v", err)
	case err != nil:
		return predict.Forecast{}, fmt.Errorf("%s: %w", s.name, err)
	}
	f := predict.Forecast{Expected: wait, Observations: len(m.Running) + len(m.Queued)}
	if s.name == Estimates {
		f.Bounds = s.bounds(f.Observations, func(float64) float64 { return wait })
	}
	return f, nil
}

// bounds are those at all quantiles.
func (o *Options) bounds(observations int, at func(quantile float64) float64) (all []predict.Bound) {
	for _, q := range o.Quantiles {
		b := predict.NoBound()
		b.Seconds, b.Quantile, b.Observations = at(q), q, observations
		all = append(all, b)
	}
	return all
}

// fluid is B for the whole queue.
type fluid struct{ *past }

// Name implements predict.Predictor.
func (*fluid) Name() string { return BQueue }

// Ask implements predict.Predictor.
func (f *fluid) Ask(m *predict.Snapshot, r *workload.Request) (predict.Forecast, error) {
	lifetimes, why := f.lifetimes()
	switch {
	case lifetimes == nil:
		return missing("%s", why)
	case f.MostAhead > 0 && len(m.Queued) > f.MostAhead:
		return missing("%d jobs wait, more than %d", len(m.Queued), f.MostAhead)
	}
	p, ok := predict.DowneyBQueue{Lifetimes: lifetimes, Queues: f.queues()}.Predict(m, r)
	if !ok {
		return missing("all that a job older than the distribution allows holds would have to be free, and B then has no end")
	}
	return predict.Forecast{Expected: p.Seconds, Observations: p.Observations}, nil
}
