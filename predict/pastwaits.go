package predict

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// PastWaits is a Predictor of bounds, or of waits, from past waits. Its forecasts
// combine the bounds of several predictors, such as one for each quantile.
type PastWaits struct {
	name       string
	predictors []BoundPredictor
	watchers   []QueueWatcher    // the predictors that follow the queue
	given      map[int64][]Bound // by row of a waiting job

	asked int64   // row of the last Ask since an event; Unknown if none
	last  []Bound // the result of that Ask
}

// NewPastWaits returns a PastWaits with the given name. It takes ownership of the
// predictors. It identifies jobs by their rows.
func NewPastWaits(name string, predictors []BoundPredictor) *PastWaits {
	p := &PastWaits{name: name, predictors: predictors, given: map[int64][]Bound{}, asked: workload.Unknown}
	for _, b := range predictors {
		if w, ok := b.(QueueWatcher); ok {
			p.watchers = append(p.watchers, w)
		}
	}
	return p
}

// Name implements Predictor.
func (p *PastWaits) Name() string { return p.name }

// Ask implements Predictor; it ignores the machine. A bound may be below the bound of a
// smaller quantile (see Ascend). Ask returns an error if a predictor returns NaN as a bound.
func (p *PastWaits) Ask(_ *Snapshot, r *workload.Request) (Forecast, error) {
	bounds := make([]Bound, len(p.predictors))
	for i, b := range p.predictors {
		bound, ok := b.Predict(*r)
		if ok && math.IsNaN(bound.Seconds) {
			return Forecast{}, fmt.Errorf("%s predicts NaN s for %s, want a number, or no bound", b.Name(), r.Label())
		}
		if !ok {
			bound.Seconds = math.NaN() // a custom predictor may return 0
		}
		bounds[i] = bound
	}
	p.asked, p.last = r.Row, bounds
	return Forecast{Expected: math.NaN(), Observations: bounds[0].Observations, Bounds: bounds}, nil
}

// Learn implements Predictor. It remembers the bounds of each job at its submission,
// which BoundPredictor.Observe needs.
func (p *PastWaits) Learn(e workload.Event) error {
	r := &e.Job.Request
	switch e.Kind {
	case workload.Submit:
		if p.asked != r.Row {
			if _, err := p.Ask(nil, r); err != nil {
				return err
			}
		}
		p.given[r.Row] = p.last
		for _, w := range p.watchers {
			w.Submitted(*r)
		}
	case workload.Start:
		for i, given := range p.given[r.Row] {
			p.predictors[i].Observe(*e.Job, given)
		}
		delete(p.given, r.Row)
	case workload.Finish:
		for _, w := range p.watchers {
			w.Ended(*r, e.Time)
		}
		delete(p.given, r.Row)
	}
	p.asked = workload.Unknown
	return nil
}
