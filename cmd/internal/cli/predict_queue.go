package cli

import (
	"context"
	"iter"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// estimateSeed draws the estimates of jobs that have none.
const estimateSeed = 1

// last2 are the predictors of run times that the simulated queue asks in turn:
// the paper's, and for jobs whose class is new the same of coarser classes.
func last2() ([]predict.RunTimePredictor, error) {
	var out []predict.RunTimePredictor
	for _, name := range []string{"user-app-size-site", "user-site", "site"} {
		classes, err := runtime.ClassesByName(name)
		if err != nil {
			return nil, err
		}
		p, err := runtime.New("last2", classes, runtime.Options{})
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// queue scores the predictors that simulate the queue.
func (r *predictRun) queue(ctx context.Context) error {
	names := r.chosen(queueNames)
	if i := slices.Index(names, "estimates"); i >= 0 && !r.estimates && r.o.factor == 0 {
		r.app.warn("%s: no job has an estimate of its run time: estimates left out; --estimate-factor draws them", r.o.input)
		names = slices.Delete(names, i, i+1)
	}
	if len(names) == 0 {
		return nil
	}
	var err error
	if r.processors, err = machine(r.o.input, &r.header, r.o.processors); err != nil {
		return err
	}
	var predictors []predict.Simulated
	for _, name := range names {
		p := predict.Simulated{Label: name, RunTimes: []predict.RunTimePredictor{predict.Estimates{}}}
		if name != "estimates" {
			if p.RunTimes, err = last2(); err != nil {
				return err
			}
			p.Corrected = name == "simulated-corrected"
		}
		predictors = append(predictors, p)
	}
	jobs := iter.Seq2[workload.Job, error](r.replay(ctx))
	if r.o.factor > 0 {
		jobs = predict.WithEstimates(jobs, r.o.factor, rand.New(rand.NewPCG(estimateSeed, 0)).Float64)
	}
	waits := make([]score.WaitTally, len(names))
	bounds := make([]score.BoundTally, len(names))
	tightness := make([]score.TightnessTally, len(names))
	parts := r.newParts(len(names))
	for row, err := range predict.FCFSWaits(jobs, r.processors, predictors, r.skipped()) {
		if err != nil {
			return err
		}
		for i, p := range row.Predictions {
			if names[i] == "estimates" {
				bounds[i].Add(p, row.Actual)
				tightness[i].Add(p, row.Actual)
				parts.bound(i, &row.Request, p, row.Actual)
			} else if row.Actual > 0 {
				waits[i].Add(p, row.Actual)
				parts.wait(i, &row.Request, p, row.Actual)
			} else {
				continue
			}
			if err := r.write(row.Request.ID, names[i], p, row.Actual, row.Queued); err != nil {
				return err
			}
		}
	}
	for i, name := range names {
		s := predictScore{predictor: name, waits: waitsQueued, parts: parts.of(i)}
		if name == "estimates" {
			b := bounds[i].Result()
			s.bound, s.tightness = &b, tightness[i].Result()
		} else {
			w := waits[i].Result()
			s.wait = &w
		}
		r.scores = append(r.scores, s)
	}
	return nil
}

// skipped counts the jobs that a simulation leaves out, unless another has.
func (r *predictRun) skipped() *workload.Warnings {
	if len(r.chosen(headNames())) > 0 {
		return nil
	}
	return &r.warnings
}
