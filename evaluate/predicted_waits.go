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
	r.o.Predictors, r.o.Programs, r.o.Sample = nil, nil, 0
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
	for _, d := range p.Predictors {
		bound := !math.IsNaN(d.Quantile)
		t := r.newTallies(LogWaits, func(string) bool { return bound }, []string{d.Name})[0]
		if bound {
			t.bound(d.Quantile)
		}
		t.Outwaited = d.Outwaited
		r.tallies = append(r.tallies, t)
	}
	scored := func(j *predict.Replayed) bool { return j.Number >= r.waits/10 }
	if p.OfStore() {
		scored = func(j *predict.Replayed) bool { return p.Scored(&j.Request) }
	}
	return r.replayBounds(ctx, []predict.Predictor{predicted{p}}, func(j *predict.Replayed, bounds []predict.Bound) error {
		if !scored(j) {
			return nil
		}
		for i, b := range bounds {
			if err := r.tallies[i].add(&j.Request, b, j.Actual); err != nil {
				return err
			}
		}
		return nil
	})
}

// predicted is a table as a predict.Predictor, whose bounds are by the table's predictors.
type predicted struct{ table *predictions.Table }

// Name implements predict.Predictor.
func (predicted) Name() string { return "table" }

// Learn implements predict.Predictor.
func (predicted) Learn(workload.Event) error { return nil }

// Ask implements predict.Predictor.
func (p predicted) Ask(_ *predict.Snapshot, r *workload.Request) (f predict.Forecast, err error) {
	place := p.table.Look(r)
	for _, d := range p.table.Predictors {
		b := predict.NoBound()
		b.Seconds, b.Quantile = d.Of(place), d.Quantile
		f.Bounds = append(f.Bounds, b)
	}
	return f, nil
}
