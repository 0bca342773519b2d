package standing

import (
	"errors"
	"fmt"
	"math"
	"slices"

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

// Name implements Predictor.
func (s *schedule) Name() string { return s.name }

// Ask implements Predictor. The wait by the users' estimates is also its bound.
func (s *schedule) Ask(m *predict.Snapshot, r *workload.Request) (Forecast, error) {
	own := func(x *workload.Request, age float64) float64 {
		if x == r && s.Run != nil {
			if run := s.Run(r.Size); run > 0 {
				return run
			}
		}
		return s.length(x, age)
	}
	wait, err := m.ScheduledWait(s.Policy, r, own)
	var unknown *predict.UnknownLengthError
	switch {
	case s.name == Estimates && errors.As(err, &unknown) && unknown.Job == predict.TheRequest:
		return missing(NoTime)
	case errors.As(err, &unknown):
		return missing("%v: it is %s", err, s.why)
	case errors.Is(err, sched.ErrNoEstimates):
		return missing("%v", err)
	case err != nil:
		return Forecast{}, fmt.Errorf("%s: %w", s.name, err)
	}
	f := Forecast{Expected: wait, Observations: len(m.Running) + len(m.Queued)}
	if s.name == Estimates {
		f.Bounds = s.bounds(f.Observations, func(float64) float64 { return wait })
	}
	return f, nil
}

// bounds are those at all quantiles.
func (p *past) bounds(observations int, at func(quantile float64) float64) (all []predict.Bound) {
	for _, q := range p.Quantiles {
		b := predict.NoBound()
		b.Seconds, b.Quantile, b.Observations = at(q), q, observations
		all = append(all, b)
	}
	return all
}

// drawn is the distribution of the waits of many schedules.
type drawn struct{ *past }

// Name implements Predictor.
func (*drawn) Name() string { return Drawn }

// Ask implements Predictor.
func (d *drawn) Ask(m *predict.Snapshot, r *workload.Request) (Forecast, error) {
	lifetimes, why := d.lifetimes()
	if lifetimes == nil {
		return missing("%s", why)
	}
	all, err := predict.Drawn{Lifetimes: lifetimes, Policy: d.Policy, Draws: d.Draws, Seed: d.Seed}.Waits(m, []workload.Request{*r})
	if err != nil {
		return Forecast{}, fmt.Errorf("%s: %w", Drawn, err)
	}
	waits := all[0]
	// The confidence is about the draws: of the waits themselves nobody knows.
	return Forecast{Expected: waits.Mean(), Waits: waits, Observations: len(waits), Bounds: d.bounds(len(waits), func(q float64) float64 {
		b, _ := waits.Bound(q, d.Confidence)
		return b.Seconds
	})}, nil
}

// fluid is B for the whole queue.
type fluid struct{ *past }

// Name implements Predictor.
func (*fluid) Name() string { return BQueue }

// Ask implements Predictor.
func (f *fluid) Ask(m *predict.Snapshot, r *workload.Request) (Forecast, error) {
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
	return Forecast{Expected: p.Seconds, Observations: p.Observations}, nil
}

// exact is A exact: the request at the head of the queue.
type exact struct{ *past }

// Name implements Predictor.
func (*exact) Name() string { return AExact }

// Ask implements Predictor.
func (x *exact) Ask(m *predict.Snapshot, r *workload.Request) (Forecast, error) {
	lifetimes, why := x.lifetimes()
	if lifetimes == nil {
		return missing("%s", why)
	}
	if ahead := len(m.Ahead(r, x.queues())); ahead > 0 {
		are := "jobs are"
		if ahead == 1 {
			are = "job is"
		}
		return missing("%d %s ahead in the queue, and it predicts the wait of the first alone; %s and %s predict that of the others", ahead, are, BQueue, Drawn)
	}
	h := m.Head(r.Size)
	return Forecast{Expected: predict.MeanFreed(h, lifetimes), Observations: len(h.Running), Bounds: x.bounds(len(h.Running), func(q float64) float64 {
		if h.Needed <= 0 {
			return 0
		}
		p, _ := predict.DowneyAExact{Lifetimes: lifetimes, Quantile: q}.Predict(h)
		return p.Seconds
	})}, nil
}

// PastWaits bounds waits from past waits, at each of some quantiles.
type PastWaits struct {
	name   string
	replay *predict.BoundReplay
	given  map[int64][]predict.Bound // by row, of the jobs that wait

	asked int64 // the row of the last question since an event; Unknown for none
	last  []predict.Bound
}

var _ Predictor = (*PastWaits)(nil)

// NewPastWaits returns a predictor of that name from predictors of the same name, one a
// quantile, which it owns.
func NewPastWaits(name string, of []predict.BoundPredictor) *PastWaits {
	return &PastWaits{name: name, replay: predict.NewBoundReplay(of), given: map[int64][]predict.Bound{}, asked: workload.Unknown}
}

// Name implements Predictor.
func (p *PastWaits) Name() string { return p.name }

// Learn implements Predictor. It remembers the bounds that a job is given at its
// submission: runs of waits above them show that the past no longer counts.
func (p *PastWaits) Learn(e workload.Event) (err error) {
	row := e.Job.Row
	switch e.Kind {
	case workload.Submit:
		if p.asked != row {
			p.last, err = p.replay.Ask(e.Job.Request, nil)
		}
		p.given[row] = p.last
		p.replay.Submitted(e.Job.Request)
	case workload.Start:
		j := workload.UnknownJob()
		j.Request, j.Wait, j.Allocated = e.Job.Request, e.Job.Wait, e.Job.Allocated
		p.replay.Start(&j, p.given[row])
		delete(p.given, row)
	case workload.Finish:
		p.replay.End(e.Job.Request, e.Time)
		delete(p.given, row)
	}
	p.asked = workload.Unknown
	return err
}

// Ask implements Predictor; the machine does not matter. A bound may be below that of a
// smaller quantile (predict.Ascend).
func (p *PastWaits) Ask(_ *predict.Snapshot, r *workload.Request) (Forecast, error) {
	bounds, err := p.replay.Ask(*r, nil)
	if err != nil {
		return Forecast{}, err
	}
	p.asked, p.last = r.Row, bounds
	return Forecast{Expected: math.NaN(), Observations: bounds[0].Observations, Bounds: slices.Clone(bounds)}, nil
}
