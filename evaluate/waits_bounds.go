package evaluate

import (
	"context"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// bounds scores the bounds on the log's own waits, and the predictions of programs.
func (p *pipeline) bounds(ctx context.Context) error {
	options := predict.BoundOptions{Methods: p.o.Bounds}
	if len(p.o.Groups) > 0 {
		var err error
		if options.Groups, err = workload.ClassesOf(p.o.Groups, p.grouping()); err != nil {
			return err
		}
	}
	own := p.names[:len(p.names)-len(p.o.Programs)]
	bounds, err := predict.NewBounds(own, []float64{p.o.Quantile}, p.o.Confidence, options)
	if err != nil {
		return err
	}
	var predictors []predict.Predictor
	for i, name := range own {
		quantile := p.o.Quantile
		if predict.IsPoint(name, p.o.Bounds) {
			quantile = 0
		}
		predictors = append(predictors, predict.NewPastWaits(name, bounds[i:i+1]))
		p.tallies = append(p.tallies, p.newTally(LogWaits, name, quantile))
	}
	for _, c := range p.o.Programs {
		p.tallies = append(p.tallies, p.newTally(LogWaits, c.Label, 0), p.newTally(LogWaits, boundName(c.Label, p.o.Quantile), p.o.Quantile))
	}
	running, err := programs(p.o.Programs).start(ctx, []float64{p.o.Quantile})
	if err != nil {
		return err
	}
	defer running.stop()
	for i, program := range running {
		predictors = append(predictors, waitProgram{program, p.o.Programs[i].Label, p.o.Quantile})
	}
	if err := p.replayBounds(ctx, predictors); err != nil {
		return err
	}
	p.tallies = append(p.tallies[:len(own)], p.answered(p.tallies[len(own):])...)
	return running.finish()
}

// answered returns the tallies of programs, two for each, without those that no program ever
// answered: of its wait or of its bound. If a program gave neither, the wait is kept.
func (p *pipeline) answered(tallies []*waitTally) (all []*waitTally) {
	silent := func(i int) bool { return tallies[i].Result().Predicted == 0 }
	for i, t := range tallies {
		if silent(i) && (t.isBound() || !silent(i+1)) {
			p.leftOut = append(p.leftOut, PredictorLeftOut{t.predictor, "the program gave none"})
			continue
		}
		all = append(all, t)
	}
	return all
}

// replayBounds replays the log's own waits, and scores the bounds of the predictors on all jobs
// but the first tenth, which train (Sonmez and others, 2009). The tallies of the pipeline are in
// the order of the predictors and of the bounds of each.
func (p *pipeline) replayBounds(ctx context.Context, predictors []predict.Predictor) error {
	for j, err := range (predict.Replay{Predictors: predictors}).Jobs(p.replay(ctx)) {
		if err != nil {
			return err
		}
		if j.Number < p.known/predict.TrainingPart {
			continue
		}
		rest := p.tallies
		for i, f := range j.Forecasts {
			for _, b := range f.Bounds {
				t := rest[0]
				rest = rest[1:]
				if !t.isBound() {
					b = unbounded(workload.Prediction{Seconds: b.Seconds, Observations: b.Observations})
				}
				if p.sample != nil {
					p.sample.add(predictors[i].Name(), t.isBound(), &j.Request, b.Seconds)
				}
				if err := t.add(&j.Request, b, j.Actual); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
