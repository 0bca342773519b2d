package cli

import (
	"context"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// estimateSeed draws the estimates of jobs that have none.
const estimateSeed = 1

// queueNames are the predictors that simulate the queue under FCFS and under EASY,
// and those that a log without estimates cannot have.
func (r *predictRun) queueNames() (fcfs, easy, out []string) {
	fcfs, easy = r.chosen(queueNames), r.chosen(easyNames)
	if r.estimates || r.o.factor > 0 {
		return fcfs, easy, nil
	}
	if i := slices.Index(fcfs, "estimates"); i >= 0 {
		fcfs, out = slices.Delete(fcfs, i, i+1), []string{"estimates"}
	}
	return fcfs, nil, append(out, easy...)
}

// queueUnder scores the predictors that simulate the queue of one policy.
func (r *predictRun) queueUnder(ctx context.Context, policy sched.Policy, names []string, waiting string) error {
	if len(names) == 0 {
		return nil
	}
	r.simulated = true
	config := predict.QueueConfig{Processors: r.o.processors, Sites: r.o.sites, Policy: policy, Warnings: &r.warnings}
	if r.o.sites == nil {
		var err error
		if r.processors, err = machine(r.o.input, &r.header, r.o.processors); err != nil {
			return err
		}
		config.Processors = r.processors
	}
	predictors, err := queuePredictors(names)
	if err != nil {
		return err
	}
	jobs := iter.Seq2[workload.Job, error](r.replay(ctx))
	if r.o.factor > 0 {
		jobs = predict.WithEstimates(jobs, r.o.factor, rand.New(rand.NewPCG(estimateSeed, 0)).Float64)
	}
	waits := make([]score.WaitTally, len(names))
	bounds := make([]score.BoundTally, len(names))
	tightness := make([]score.TightnessTally, len(names))
	parts := r.newParts(len(names))
	for row, err := range predict.QueueWaits(jobs, config, predictors) {
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
			if err := r.write(row.Request.ID, waiting, names[i], unbounded(workload.Prediction{Seconds: p, Observations: row.Queued}), row.Actual); err != nil {
				return err
			}
		}
	}
	for i, name := range names {
		s := predictScore{predictor: name, waits: waiting, parts: parts.of(i), followed: parts.followed[i]}
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

// queuePredictors makes the predictors that simulate a queue.
func queuePredictors(names []string) ([]predict.Simulated, error) {
	var predictors []predict.Simulated
	for _, name := range names {
		p := predict.Simulated{Label: name, RunTimes: []predict.RunTimePredictor{predict.Estimates{}}}
		if name != "estimates" {
			var err error
			if p.RunTimes, err = evaluate.QueueRunTimes(); err != nil {
				return nil, err
			}
			p.Corrected = strings.HasSuffix(name, "-corrected")
		}
		predictors = append(predictors, p)
	}
	return predictors, nil
}

// warnOfUsers says what a log without users cannot have.
func (r *predictRun) warnOfUsers() {
	if r.users || r.jobs == 0 {
		return
	}
	if slices.ContainsFunc(r.o.predictors, func(name string) bool { return strings.HasPrefix(name, "simulated") }) {
		r.app.warn("%s: no job has a user: all jobs are one user's where the simulated predictors predict run times", r.o.input)
	}
	if slices.Contains(r.o.by, "burst") {
		r.app.warn("%s: no job has a user: no job is in a burst", r.o.input)
	}
	for _, of := range []struct {
		flag    string
		columns []string
	}{{"classes", r.o.classes}, {"groups", r.o.groups}} {
		if slices.Contains(of.columns, "user_id") {
			r.app.warn("%s: no job has a user: --%s user_id tells no jobs apart", r.o.input, of.flag)
		}
	}
}
