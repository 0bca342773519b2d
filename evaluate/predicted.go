package evaluate

import (
	"context"
	"math"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ScoreRunTimes scores a table of predictions on a log as RunTimes scores predictors: over
// the same jobs, so that the predictions of an earlier run get the same scores again. It
// ignores the options Predictors, Classes, Fallback, Own, Programs and Rules. Like RunTimes,
// it leaves out a predictor if the log lacks the columns of its classes. A predictor with a
// quantile is also scored as a bound.
//
// It is an error if the predictions are of waits, or if the log has none of the predicted
// jobs. A table can be scored only once.
func ScoreRunTimes(ctx context.Context, p *predictions.Table, log *workload.Log, o RunTimesOptions) (*RunTimesResult, error) {
	if err := p.CheckOf(predictions.OfRunTimes); err != nil {
		return nil, err
	}
	o.table = p
	r, err := RunTimes(ctx, log, o)
	if err != nil {
		return nil, err
	}
	more, err := p.Warnings(log.Name)
	r.Warnings = append(r.Warnings, more...)
	return r, err
}

// PredictedEntries returns the entries that ScoreRunTimes scores, or an error if an option
// is invalid.
func PredictedEntries(p *predictions.Table, o RunTimesOptions) ([]runtime.Entry, error) {
	o.table = p
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return o.Entries()
}

// predictedEntries returns the predictors of a table as entries of a replay.
func predictedEntries(p *predictions.Table) (all []runtime.Entry) {
	for _, d := range p.Predictors {
		classes, err := runtime.ClassesByName(d.Classes)
		if err != nil {
			classes = runtime.Classes{}
		}
		classes.Name = d.Classes
		// Unchecked: negative predictions are scored, and the Table has counted them.
		all = append(all, runtime.Entry{Predictor: d.Name, Classes: classes, Own: predictedRunTimes{p, d}, Unchecked: true})
	}
	return all
}

// predictedRunTimes presents the predictions of one predictor as a runtime.Predictor.
type predictedRunTimes struct {
	table *predictions.Table
	of    *predictions.Predictor
}

// Predict implements runtime.Predictor.
func (p predictedRunTimes) Predict(r *workload.Request) (workload.Prediction, bool) {
	x := p.of.Of(p.table.Look(r))
	return workload.Prediction{Seconds: x}, !math.IsNaN(x)
}

// Observe implements runtime.Predictor.
func (predictedRunTimes) Observe(*workload.Job) {}

// ScoreWaits scores a table of predictions on a log as Waits scores bounds: on all jobs
// except the first tenth. A predictor with a quantile is a bound. The options of predictors
// are ignored.
//
// It is an error if the predictions are of run times, or if the log has none of the predicted
// jobs. A table can be scored only once.
func ScoreWaits(ctx context.Context, p *predictions.Table, log *workload.Log, o WaitsOptions) (*WaitsResult, error) {
	if err := p.CheckOf(predictions.OfWaits); err != nil {
		return nil, err
	}
	o.table, o.Predictors, o.Programs, o.Sample = p, nil, nil, 0
	if q := p.Quantile(); q > 0 {
		o.Quantile = q
	}
	r, err := Waits(ctx, log, o)
	if err != nil {
		return nil, err
	}
	more, err := p.Warnings(log.Name)
	r.Warnings = append(r.Warnings, more...)
	return r, err
}

// predicted scores the predictions of a table.
func (p *pipeline) predicted(ctx context.Context) error {
	for _, d := range p.o.table.Predictors {
		p.tallies = append(p.tallies, p.newTally(LogWaits, d.Name, d.Quantile))
	}
	return p.replayBounds(ctx, []predict.Predictor{predictedWaits{p.o.table}})
}

// predictedWaits presents a table as one predict.Predictor. Each of its forecasts has one bound
// for each predictor of the table, in order.
type predictedWaits struct{ table *predictions.Table }

// Name implements predict.Predictor.
func (predictedWaits) Name() string { return "table" }

// Learn implements predict.Predictor.
func (predictedWaits) Learn(workload.Event) error { return nil }

// Ask implements predict.Predictor.
func (p predictedWaits) Ask(_ *predict.Snapshot, r *workload.Request) (f predict.Forecast, err error) {
	place := p.table.Look(r)
	for _, d := range p.table.Predictors {
		b := predict.NoBound()
		b.Seconds, b.Quantile = d.Of(place), d.Quantile
		f.Bounds = append(f.Bounds, b)
	}
	return f, nil
}
