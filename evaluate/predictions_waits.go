package evaluate

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Waits scores the predictions on a log as Waits scores predictors. Those of the log's
// own waits are scored on the jobs that bounds are scored on, all but the first tenth;
// one with a quantile is a bound. Waits of a simulation, which the log does not have,
// are scored as an earlier run has them in the file: on the jobs that it has, against
// its column actual_s. Of the options, those of predictors are not used.
//
// It is an error if the log has none of the predicted jobs. The predictions are for one
// call.
func (p *Predictions) Waits(ctx context.Context, log *workload.Log, o WaitsOptions) (*WaitsResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	r := &waits{o: o.filled(), log: log}
	r.o.Predictors, r.o.Own, r.o.Sample = nil, nil, 0
	if slices.ContainsFunc(p.kinds, func(k *predictedKind) bool { return k.waits != LogWaits }) {
		r.o.Predictors = headNames() // which do without the log's waits
	}
	if q := p.quantile(); q > 0 {
		r.o.Quantile = q
	}
	p.watchFirst(&r.o)
	if err := r.survey(ctx); err != nil {
		return nil, err
	}
	if err := p.unknown(log.Name); err != nil {
		return nil, err
	}
	for _, k := range p.kinds {
		score := r.logWaits
		if k.waits != LogWaits {
			score = r.simulatedWaits
		}
		if err := score(ctx, k); err != nil {
			return nil, err
		}
	}
	out := r.result()
	out.Warnings = append(out.Warnings, p.warnings()...)
	return out, nil
}

// WaitsScored returns the names of what Waits scores.
func (p *Predictions) WaitsScored() []string {
	var names []string
	for _, k := range p.kinds {
		for _, d := range k.said {
			names = append(names, d.predictor)
		}
	}
	return names
}

// quantile is that of the first bound, 0 where there is none.
func (p *Predictions) quantile() float64 {
	for _, k := range p.kinds {
		for _, d := range k.said {
			if d.quantile > 0 {
				return d.quantile
			}
		}
	}
	return 0
}

// watchFirst looks at the jobs in the first pass over the log.
func (p *Predictions) watchFirst(o *WaitsOptions) {
	watch, first := o.Watch, true
	o.Watch = func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
		if watch != nil {
			jobs = watch(jobs, n)
		}
		if !first {
			return jobs
		}
		first = false
		return p.watch(jobs, func(j *workload.Job) float64 { return j.Wait })
	}
}

// logWaits scores predictions of the log's own waits.
func (r *waits) logWaits(ctx context.Context, k *predictedKind) error {
	var predictors []predict.BoundPredictor
	for _, d := range k.said {
		predictors = append(predictors, predictedBounds{k, d})
	}
	tallies := r.predictedTallies(k)
	err := r.replayBounds(ctx, predictors, nil, func(row *predict.BoundWait) error {
		for i, b := range row.Bounds {
			if err := tallies[i].add(&row.Request, b, row.Actual); err != nil {
				return err
			}
		}
		return nil
	})
	r.tallies = append(r.tallies, tallies...)
	return err
}

// simulatedWaits scores predictions of waits that only the file has.
func (r *waits) simulatedWaits(ctx context.Context, k *predictedKind) error {
	requests := make([]workload.Request, len(k.jobs))
	for j, err := range r.replay(ctx) {
		if err != nil {
			return err
		}
		if place := k.look(j.ID); place >= 0 {
			requests[place] = j.Request
		}
	}
	tallies := r.predictedTallies(k)
	for place := range k.jobs {
		job := &k.jobs[place]
		switch {
		case !job.seen:
			continue
		case math.IsNaN(job.actual):
			r.odd.Add("no-actual", "jobs whose simulated wait the file does not have in actual_s: not scored", 0, k.waits)
			continue
		}
		for i, d := range k.said {
			// A queue's points are scored on the jobs that wait, as Waits does.
			if k.waits != HeadWaits && !tallies[i].isBound && !(job.actual > 0) {
				continue
			}
			b := predict.NoBound()
			b.Seconds, b.Quantile = d.of(int32(place)), d.quantile
			if err := tallies[i].add(&requests[place], b, job.actual); err != nil {
				return err
			}
		}
	}
	r.tallies = append(r.tallies, tallies...)
	return nil
}

// predictedTallies makes those of the predictors of some waits. The users' estimates
// bound simulated waits without a quantile.
func (r *waits) predictedTallies(k *predictedKind) []*waitTally {
	var all []*waitTally
	for _, d := range k.said {
		bound := !math.IsNaN(d.quantile) || k.waits != LogWaits && d.predictor == estimatesName
		all = append(all, r.newTallies(k.waits, func(string) bool { return bound }, []string{d.predictor})...)
	}
	return all
}

// predictedBounds are predictions of the log's waits as a predictor.
type predictedBounds struct {
	kind *predictedKind
	said *predicted
}

// Name implements predict.BoundPredictor.
func (p predictedBounds) Name() string { return p.said.predictor }

// Predict implements predict.BoundPredictor.
func (p predictedBounds) Predict(r workload.Request) (predict.Bound, bool) {
	b := predict.NoBound()
	b.Seconds, b.Quantile = p.said.of(p.kind.look(r.ID)), p.said.quantile
	return b, !math.IsNaN(b.Seconds)
}

// Observe implements predict.BoundPredictor.
func (predictedBounds) Observe(workload.Job, predict.Bound) {}
