package evaluate

import (
	"context"
	"errors"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// heads scores Downey's predictors at the head of a simulated queue.
func (p *pipeline) heads(ctx context.Context) error {
	lifetimes, updates, err := p.fitLifetimes(ctx)
	if degenerate := new(*fit.DegenerateError); errors.As(err, degenerate) && len(p.o.Predictors) > len(p.names) {
		p.leaveOut("no-law", err.Error(), p.names...)
		return nil
	}
	if err != nil {
		return err
	}
	var predictors []predict.HeadPredictor
	for _, d := range predict.Downey(lifetimes) {
		if slices.Contains(p.names, d.Name()) {
			predictors = append(predictors, d)
		}
	}
	if p.o.Unbias {
		for _, d := range slices.Clone(predictors) {
			u := predict.NewUnbiased(d)
			predictors, p.names = append(predictors, u), append(p.names, u.Name())
		}
	}
	for _, name := range p.names {
		p.tallies = append(p.tallies, p.newTally(HeadWaits, name, 0))
	}
	config := predict.HeadConfig{Processors: p.processors, Predictors: predictors, Warnings: &p.odd, Updates: updates}
	for row, err := range predict.AtHead(p.replay(ctx), config) {
		if err != nil {
			return err
		}
		if updates != nil && !updates.Known() {
			continue // nothing to predict from yet
		}
		for i, x := range row.Predictions {
			if err := p.tallies[i].add(&row.Request, unbounded(x), row.Actual); err != nil {
				return err
			}
		}
	}
	return nil
}

// fitLifetimes fits the lifetimes to the whole log or, if Months is set, returns lifetimes
// that are refitted for each interval during the replay. In that case both results are the
// same value; otherwise the second is nil.
func (p *pipeline) fitLifetimes(ctx context.Context) (predict.Lifetimes, *predict.PreviousLifetimes, error) {
	c, err := p.lifetimesOf()
	if err != nil {
		return nil, nil, err
	}
	if p.o.Months == 0 {
		f, err := predict.FitLifetimes(p.replay(ctx), p.processors, c)
		if err != nil {
			return nil, nil, err
		}
		p.lifetimes = predict.Summarize(&f.All)
		return f.Lifetimes, nil, nil
	}
	d, err := workload.Months(p.clock, p.o.Months)
	if err != nil {
		return nil, nil, err
	}
	l, err := predict.NewPreviousLifetimes(p.processors, c, d.Number)
	return l, l, err
}
