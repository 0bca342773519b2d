package evaluate

import (
	"context"
	"strings"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// queue scores predictors that simulate the queue, on the waits of a simulated machine.
func (p *pipeline) queue(ctx context.Context) error {
	var predictors []predict.Simulated
	for _, name := range p.names {
		quantile := 0.0
		s := predict.Simulated{RunTimes: []sched.Estimator{sched.UserEstimates{}}, Corrected: strings.HasSuffix(name, "-corrected")}
		if name == standing.Estimates {
			quantile = p.o.Quantile
		} else {
			var err error
			if s.RunTimes, err = standing.QueueRunTimes(); err != nil {
				return err
			}
		}
		predictors = append(predictors, s)
		p.tallies = append(p.tallies, p.newTally(QueueWaits, name, quantile))
	}
	config := sched.Config{Processors: p.processors, Sites: p.o.Sites, Warnings: &p.odd}
	if p.o.Sites != nil {
		config.Processors = p.o.Processors
	}
	for row, err := range predict.QueueWaits(p.estimated(ctx), config, predictors) {
		if err != nil {
			return err
		}
		for i, x := range row.Predictions {
			t := p.tallies[i]
			if !t.isBound() && !(row.Actual > 0) {
				continue
			}
			if err := t.add(&row.Request, unbounded(workload.Prediction{Seconds: x, Observations: row.Queued}), row.Actual); err != nil {
				return err
			}
		}
	}
	return nil
}
