package evaluate

import (
	"context"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ScoreWaits scores a table of predictions on a log as Waits scores predictors:
// on all jobs except the first tenth, as bounds are; one with a quantile is a bound. A table
// of a store is scored on the jobs that the service scored, and log is the store.
// The options of predictors are ignored.
//
// It is an error if the predictions are of run times, or the log has none of the predicted
// jobs. A table can be scored once.
func ScoreWaits(ctx context.Context, p *predictions.Table, log *workload.Log, o WaitsOptions) (*WaitsResult, error) {
	if err := p.CheckOf(predictions.OfWaits); err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &waits{o: o.filled(), log: log}
	r.o.Predictors, r.o.Sample = nil, 0
	if q := p.Quantile(); q > 0 {
		r.o.Quantile = q
	}
	watchFirst(p, &r.o)
	if err := r.survey(ctx); err != nil {
		return nil, err
	}
	if err := p.CountUnknown(log.Name); err != nil {
		return nil, err
	}
	if err := r.predictedWaits(ctx, p); err != nil {
		return nil, err
	}
	out := r.result()
	out.Warnings = append(out.Warnings, p.Warnings()...)
	return out, nil
}

// watchFirst has the table watch the first pass over the log.
func watchFirst(p *predictions.Table, o *WaitsOptions) {
	watch, first := o.Watch, true
	o.Watch = func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
		if watch != nil {
			jobs = watch(jobs, n)
		}
		if !first {
			return jobs
		}
		first = false
		return p.Watch(jobs, func(j *workload.Job) float64 { return j.Wait })
	}
}

// predictedWaits scores the predictions of a table.
func (r *waits) predictedWaits(ctx context.Context, p *predictions.Table) error {
	var predictors []predict.BoundPredictor
	for _, d := range p.Predictors {
		bound := !math.IsNaN(d.Quantile)
		t := r.newTallies(LogWaits, func(string) bool { return bound }, []string{d.Name})[0]
		if bound {
			t.bound(d.Quantile)
		}
		t.Outwaited = d.Outwaited
		r.tallies = append(r.tallies, t)
		predictors = append(predictors, predictedBounds{p, d})
	}
	replay := r.replayBounds
	if p.OfStore() {
		replay = r.replayAllBounds
	}
	return replay(ctx, predictors, func(row *predict.BoundWait) error {
		if p.OfStore() && !p.Scored(&row.Request) {
			return nil
		}
		for i, b := range row.Bounds {
			if err := r.tallies[i].add(&row.Request, b, row.Actual); err != nil {
				return err
			}
		}
		return nil
	})
}

// predictedBounds is the predictions of one predictor as a predict.BoundPredictor.
type predictedBounds struct {
	table *predictions.Table
	said  *predictions.Predictor
}

// Name implements predict.BoundPredictor.
func (p predictedBounds) Name() string { return p.said.Name }

// Predict implements predict.BoundPredictor.
func (p predictedBounds) Predict(r workload.Request) (predict.Bound, bool) {
	b := predict.NoBound()
	b.Seconds, b.Quantile = p.said.Of(p.table.Look(&r)), p.said.Quantile
	return b, !math.IsNaN(b.Seconds)
}

// Observe implements predict.BoundPredictor.
func (predictedBounds) Observe(workload.Job, predict.Bound) {}
