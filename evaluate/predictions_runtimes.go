package evaluate

import (
	"context"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimes scores the predictions on a log as RunTimes scores predictors: over the
// same jobs, so that what an earlier run predicted has its scores again. Of the
// options, Predictors, Classes, Fallback, Own, Programs and Rules are not used. A
// predictor whose classes the log has not the columns for is left out, as there. One
// with a quantile is scored as a bound, too.
//
// It is an error if the log has none of the predicted jobs. The predictions are for one
// call.
func (p *Predictions) RunTimes(ctx context.Context, log *workload.Log, o RunTimesOptions) (*RunTimesResult, error) {
	p.fill(&o)
	watch := o.Watch
	o.Watch = func(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
		if watch != nil {
			jobs = watch(jobs)
		}
		return p.watch(jobs, func(j *workload.Job) float64 { return j.Run })
	}
	r, err := RunTimes(ctx, log, o)
	if err != nil {
		return nil, err
	}
	if err := p.unknown(log.Name); err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, p.warnings()...)
	return r, nil
}

// RunTimesEntries returns what RunTimes scores, or its error of an option.
func (p *Predictions) RunTimesEntries(o RunTimesOptions) ([]runtime.Entry, error) {
	p.fill(&o)
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return o.Entries()
}

// fill has the options score the predictions alone.
func (p *Predictions) fill(o *RunTimesOptions) {
	o.ownOnly, o.Own, o.Programs, o.Fallback, o.quantiles = true, nil, nil, nil, nil
	for _, k := range p.kinds {
		for _, d := range k.said {
			classes, err := runtime.ClassesByName(d.classes)
			if err != nil {
				classes = runtime.Classes{}
			}
			classes.Name = d.classes
			o.Own = append(o.Own, runtime.Entry{Predictor: d.predictor, Classes: classes, Own: predictedRunTimes{k, d}})
			o.quantiles = append(o.quantiles, d.quantile)
		}
	}
}

// predictedRunTimes are predictions as a predictor.
type predictedRunTimes struct {
	kind *predictedKind
	said *predicted
}

// Predict implements runtime.Predictor.
func (p predictedRunTimes) Predict(r workload.Request) (workload.Prediction, bool) {
	x := p.said.of(p.kind.look(r.ID))
	return workload.Prediction{Seconds: x}, !math.IsNaN(x)
}

// Observe implements runtime.Predictor.
func (predictedRunTimes) Observe(workload.Job) {}
