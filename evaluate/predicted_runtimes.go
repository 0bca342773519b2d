package evaluate

import (
	"context"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ScoreRunTimes scores a table of predictions on a log as RunTimes scores predictors: over
// the same jobs, so that the predictions of an earlier run have the same scores again. It
// ignores the options Predictors, Classes, Fallback, Own, Programs and Rules. A predictor
// is left out if the log lacks the columns of its classes, as RunTimes does. One with a
// quantile is scored as a bound, too.
//
// It is an error if the predictions are of waits, or the log has none of the predicted
// jobs. A table can be scored once.
func ScoreRunTimes(ctx context.Context, p *predictions.Table, log *workload.Log, o RunTimesOptions) (*RunTimesResult, error) {
	if err := p.CheckOf(predictions.OfRunTimes); err != nil {
		return nil, err
	}
	scoreOnly(p, &o)
	watch := o.Watch
	o.Watch = func(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
		if watch != nil {
			jobs = watch(jobs)
		}
		return p.Watch(jobs, func(j *workload.Job) float64 { return j.Run })
	}
	r, err := RunTimes(ctx, log, o)
	if err != nil {
		return nil, err
	}
	if err := p.CountUnknown(log.Name); err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, p.Warnings()...)
	return r, nil
}

// PredictedEntries returns the entries that ScoreRunTimes scores, or an error if an option
// is invalid.
func PredictedEntries(p *predictions.Table, o RunTimesOptions) ([]runtime.Entry, error) {
	scoreOnly(p, &o)
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return o.Entries()
}

// scoreOnly sets the options so that only the predictions are scored.
func scoreOnly(p *predictions.Table, o *RunTimesOptions) {
	o.ownOnly, o.Own, o.Programs, o.Fallback, o.quantiles = true, nil, nil, nil, nil
	for _, d := range p.Predictors {
		classes, err := runtime.ClassesByName(d.Classes)
		if err != nil {
			classes = runtime.Classes{}
		}
		classes.Name = d.Classes
		// Negative ones are scored: the Table has counted them.
		o.Own = append(o.Own, runtime.Entry{Predictor: d.Name, Classes: classes, Own: predictedRunTimes{p, d}, Unchecked: true})
		o.quantiles = append(o.quantiles, d.Quantile)
	}
}

// predictedRunTimes is the predictions of one predictor as a runtime.Predictor.
type predictedRunTimes struct {
	table *predictions.Table
	said  *predictions.Predictor
}

// Predict implements runtime.Predictor.
func (p predictedRunTimes) Predict(r workload.Request) (workload.Prediction, bool) {
	x := p.said.Of(p.table.Look(&r))
	return workload.Prediction{Seconds: x}, !math.IsNaN(x)
}

// Observe implements runtime.Predictor.
func (predictedRunTimes) Observe(workload.Job) {}
