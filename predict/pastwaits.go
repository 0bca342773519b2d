package predict

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// PastWaits is a Predictor of bounds, or of waits, from past waits: it has several
// predictors, such as one a quantile, whose answers are the bounds of its forecasts.
type PastWaits struct {
	name       string
	predictors []BoundPredictor
	watchers   []QueueWatcher    // those of them that follow the queue
	given      map[int64][]Bound // by row, of the jobs that wait

	asked int64 // the row of the last question since an event; Unknown for none
	last  []Bound
}

// NewPastWaits returns a PastWaits of that name from predictors, which it owns. It knows
// jobs by their rows.
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

// Ask implements Predictor; the machine does not matter. A bound may be below that of a
// smaller quantile (Ascend). It is an error if a predictor returns NaN as a bound.
func (p *PastWaits) Ask(_ *Snapshot, r *workload.Request) (Forecast, error) {
	bounds := make([]Bound, len(p.predictors))
	for i, b := range p.predictors {
		bound, ok := b.Predict(*r)
		if ok && math.IsNaN(bound.Seconds) {
			return Forecast{}, fmt.Errorf("%s predicts NaN s for %s, want a number, or no bound", b.Name(), r.Label())
		}
		if !ok {
			bound.Seconds = math.NaN() // also where a custom predictor leaves 0
		}
		bounds[i] = bound
	}
	p.asked, p.last = r.Row, bounds
	return Forecast{Expected: math.NaN(), Observations: bounds[0].Observations, Bounds: bounds}, nil
}

// Learn implements Predictor. It remembers the bounds that a job is given at its
// submission: runs of waits above them show that the past no longer counts.
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
