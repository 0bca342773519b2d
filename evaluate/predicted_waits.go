package evaluate

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ScoreWaits scores a table of predictions on a log as Waits scores predictors.
// Predictions of the log's own waits are scored on all jobs except the first tenth, as
// bounds are; one with a quantile is a bound. The log does not have the waits of a
// simulation: these are scored on the jobs in the table, against its column actual_s. A
// table of a store is scored on the jobs that the service scored, and log is the store.
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
	if slices.ContainsFunc(p.Kinds, func(k *predictions.Kind) bool { return k.Waits != LogWaits }) {
		r.o.Predictors = headNames() // which do without the log's waits
	}
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
	for _, k := range p.Kinds {
		score := r.logWaits
		if k.Waits != LogWaits {
			score = r.simulatedWaits
		}
		if err := score(ctx, k); err != nil {
			return nil, err
		}
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

// logWaits scores predictions of the log's own waits.
func (r *waits) logWaits(ctx context.Context, k *predictions.Kind) error {
	var predictors []predict.BoundPredictor
	for _, d := range k.Predictors {
		predictors = append(predictors, predictedBounds{k, d})
	}
	tallies := r.predictedTallies(k)
	replay := r.replayBounds
	if k.OfStore() {
		replay = r.replayAllBounds
	}
	err := replay(ctx, predictors, func(row *predict.BoundWait) error {
		if k.OfStore() && !k.Scored(&row.Request) {
			return nil
		}
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

// simulatedWaits scores predictions of waits that only the table has.
func (r *waits) simulatedWaits(ctx context.Context, k *predictions.Kind) error {
	requests := make([]workload.Request, len(k.Jobs))
	for j, err := range r.replay(ctx) {
		if err != nil {
			return err
		}
		if place := k.Look(&j.Request); place >= 0 {
			requests[place] = j.Request
		}
	}
	tallies := r.predictedTallies(k)
	for place := range k.Jobs {
		job := &k.Jobs[place]
		switch {
		case !job.Seen:
			continue
		case math.IsNaN(job.Actual):
			r.odd.Add("no-actual", "jobs whose simulated wait the file does not have in actual_s: not scored", 0, k.Waits)
			continue
		}
		for i, d := range k.Predictors {
			// A queue's points are scored on the jobs that wait, as Waits does.
			if k.Waits != HeadWaits && !tallies[i].isBound && !(job.Actual > 0) {
				continue
			}
			b := predict.NoBound()
			b.Seconds, b.Quantile = d.Of(int32(place)), d.Quantile
			if err := tallies[i].add(&requests[place], b, job.Actual); err != nil {
				return err
			}
		}
	}
	r.tallies = append(r.tallies, tallies...)
	return nil
}

// predictedTallies returns a tally for each predictor. The users' estimates bound
// simulated waits without a quantile.
func (r *waits) predictedTallies(k *predictions.Kind) []*waitTally {
	var all []*waitTally
	for _, d := range k.Predictors {
		bound := !math.IsNaN(d.Quantile) || k.Waits != LogWaits && d.Name == estimatesName
		t := r.newTallies(k.Waits, func(string) bool { return bound }, []string{d.Name})[0]
		if !math.IsNaN(d.Quantile) {
			t.of(d.Quantile)
		}
		t.bound.Outwaited = d.Outwaited
		all = append(all, t)
	}
	return all
}

// predictedBounds is the predictions of one predictor as a predict.BoundPredictor.
type predictedBounds struct {
	kind *predictions.Kind
	said *predictions.Predictor
}

// Name implements predict.BoundPredictor.
func (p predictedBounds) Name() string { return p.said.Name }

// Predict implements predict.BoundPredictor.
func (p predictedBounds) Predict(r workload.Request) (predict.Bound, bool) {
	b := predict.NoBound()
	b.Seconds, b.Quantile = p.said.Of(p.kind.Look(&r)), p.said.Quantile
	return b, !math.IsNaN(b.Seconds)
}

// Observe implements predict.BoundPredictor.
func (predictedBounds) Observe(workload.Job, predict.Bound) {}
