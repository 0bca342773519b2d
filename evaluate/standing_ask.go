package evaluate

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ask returns the forecasts of one predictor for a request, by quantile. actual is the
// wait, s, by which the CRPS of a distribution is computed.
func (s *standing) ask(name string, m *predict.Snapshot, r *workload.Request, actual float64) ([]score.Forecast, error) {
	out := make([]score.Forecast, len(s.Quantiles))
	for i := range out {
		out[i] = score.NoForecast()
	}
	switch name {
	case simulatedName:
		// A job of a class without history runs as long as it asked for.
		length := predict.PredictedLength(append(s.runs[:len(s.runs):len(s.runs)], predict.Estimates{})...)
		return out, s.scheduled(out, m, r, length, false)
	case estimatesName:
		return out, s.scheduled(out, m, r, predict.PredictedLength(predict.Estimates{}), true)
	case drawnName:
		return out, s.drawn(out, m, r, actual)
	case exactName:
		s.exact(out, m, r)
	default:
		s.fluid(out, m, r)
	}
	return out, nil
}

// scheduled forecasts by one schedule, whose wait is also the bound if bound says so.
func (s *standing) scheduled(out []score.Forecast, m *predict.Snapshot, r *workload.Request, length predict.RunLength, bound bool) error {
	wait, err := m.ScheduledWait(s.Policy, r, length)
	var unknown *predict.UnknownLengthError
	switch {
	case errors.As(err, &unknown) || errors.Is(err, sched.ErrNoEstimates):
		return nil
	case err != nil:
		return err
	}
	for i := range out {
		out[i].Point = wait
		if bound {
			out[i].Bound = wait
		}
	}
	return nil
}

// drawn forecasts by the distribution of the waits of many schedules.
func (s *standing) drawn(out []score.Forecast, m *predict.Snapshot, r *workload.Request, actual float64) error {
	lifetimes := s.now()
	if lifetimes == nil {
		return nil
	}
	d := predict.Drawn{Lifetimes: lifetimes, Policy: s.Policy, Draws: s.Draws, Seed: s.Seed}
	waits, err := d.Waits(m, []workload.Request{*r})
	if err != nil {
		return err
	}
	w := waits[0]
	mean := w.Mean()
	for i, q := range s.Quantiles {
		if !math.IsInf(mean, 1) { // else some schedules have no end in sight
			out[i].Point, out[i].CRPS = mean, stats.CRPS(w, actual)
		}
		if b, ok := w.Bound(q, s.Confidence); ok {
			out[i].Bound = b.Seconds
		}
	}
	return nil
}

// within returns the lifetimes of single jobs, and the queues in order of priority.
func (s *standing) within() (lifetimes predict.Lifetimes, queues []int64) {
	if p, ok := s.Policy.(sched.Priority); ok {
		queues = p.Queues
	}
	return s.now(), queues
}

// exact forecasts by A exact, for a job that no queued job goes before.
func (s *standing) exact(out []score.Forecast, m *predict.Snapshot, r *workload.Request) {
	lifetimes, queues := s.within()
	if lifetimes == nil || len(m.Ahead(r, queues)) > 0 {
		return
	}
	h := m.Head(r.Size)
	for i, q := range s.Quantiles {
		out[i].Bound = 0
		if h.Needed > 0 {
			p, _ := predict.DowneyAExact{Lifetimes: lifetimes, Quantile: q}.Predict(h)
			out[i].Bound = p.Seconds
		}
	}
}

// fluid forecasts by B for the whole queue.
func (s *standing) fluid(out []score.Forecast, m *predict.Snapshot, r *workload.Request) {
	lifetimes, queues := s.within()
	if lifetimes == nil || len(m.Queued) > mostAhead {
		return
	}
	if p, ok := (predict.DowneyBQueue{Lifetimes: lifetimes, Queues: queues}).Predict(m, r); ok {
		for i := range out {
			out[i].Point = p.Seconds
		}
	}
}
