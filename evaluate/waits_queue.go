package evaluate

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// estimateSeed draws the estimates of jobs that have none.
const estimateSeed = 1

// queueNames are the predictors that simulate the queue under FCFS and under EASY,
// and those that a log without estimates cannot have.
func (r *waits) queueNames() (fcfs, easy, out []string) {
	fcfs, easy = r.chosen(queueNames), r.chosen(easyNames)
	if r.o.Sample > 0 { // whose jobs alone these are asked about
		defer func() {
			fcfs = slices.DeleteFunc(fcfs, func(name string) bool { return slices.Contains(standingNames(), name) })
		}()
	}
	if r.estimates || r.o.EstimateFactor > 0 {
		return fcfs, easy, nil
	}
	if i := slices.Index(fcfs, "estimates"); i >= 0 {
		fcfs, out = slices.Delete(fcfs, i, i+1), []string{"estimates"}
	}
	return fcfs, nil, append(out, easy...)
}

// queueUnder scores the predictors that simulate the queue of one policy.
func (r *waits) queueUnder(ctx context.Context, policy sched.Policy, names []string, waiting string) error {
	if len(names) == 0 {
		return nil
	}
	r.simulated = true
	config := predict.QueueConfig{Processors: r.o.Processors, Sites: r.o.Sites, Policy: policy, Warnings: &r.odd}
	if r.o.Sites == nil {
		var err error
		if r.processors, err = r.machine(); err != nil {
			return err
		}
		config.Processors = r.processors
	}
	predictors, err := queuePredictors(names)
	if err != nil {
		return err
	}
	jobs := r.replay(ctx)
	if r.o.EstimateFactor > 0 {
		jobs = predict.WithEstimates(jobs, r.o.EstimateFactor, rand.New(rand.NewPCG(estimateSeed, 0)).Float64)
	}
	r.tallies = r.newTallies(waiting, func(name string) bool { return name == "estimates" }, names)
	for row, err := range predict.QueueWaits(jobs, config, predictors) {
		if err != nil {
			return err
		}
		for i, p := range row.Predictions {
			t := r.tallies[i]
			if !t.isBound() && !(row.Actual > 0) {
				continue
			}
			if err := t.add(&row.Request, unbounded(workload.Prediction{Seconds: p, Observations: row.Queued}), row.Actual); err != nil {
				return err
			}
		}
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
			if p.RunTimes, err = standing.QueueRunTimes(); err != nil {
				return nil, err
			}
			p.Corrected = strings.HasSuffix(name, "-corrected")
		}
		predictors = append(predictors, p)
	}
	return predictors, nil
}
