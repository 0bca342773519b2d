package cli

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
)

// calibrationLevels are the quantiles of a calibration curve.
var calibrationLevels = []float64{0.05, 0.1, 0.25, 0.5, 0.75, 0.8, 0.9, 0.95, 0.99}

// predictCalibration is the curve of one predictor.
type predictCalibration struct {
	predictor string
	waits     string
	curve     []score.CalibrationPoint
}

// lifetimesOf fits the lifetimes, or prepares those that follow the log.
func (r *predictRun) lifetimesOf(ctx context.Context) (predict.Lifetimes, *predict.PreviousLifetimes, error) {
	trim := r.o.trim
	if trim == 0 {
		trim = -1 // fit's word for none
	}
	c := predict.LifetimesConfig{By: predictColumns(r.o.classes), Family: r.o.law, Options: fit.Options{Trim: trim}}
	if r.o.parameters == previous {
		number := func(at float64) (int64, bool) {
			return int64(math.Floor(at / (30 * 86400 * float64(r.o.months)))), true
		}
		if clock, _ := r.header.Clock(); clock.Known {
			d, err := fit.Months(clock, r.o.months)
			if err != nil {
				return nil, nil, err
			}
			number = d.Number
		}
		if r.o.each > 0 {
			p, err := predict.NewPreviousLifetimesByJobs(r.processors, c, r.o.each)
			return p, p, err
		}
		p, err := predict.NewPreviousLifetimes(r.processors, c, number)
		return p, p, err
	}
	f, err := predict.FitLifetimes(r.replay(ctx), r.processors, c)
	if err != nil {
		return nil, nil, err
	}
	r.lifetimes = &f.All
	return f.Lifetimes, nil, nil
}

// heads scores Downey's predictors.
func (r *predictRun) heads(ctx context.Context) error {
	names := r.chosen(headNames())
	if len(names) == 0 {
		return nil
	}
	if r.o.sites != nil {
		r.remark("%s: Downey's predictors are of one machine: %s left out, because of --sites", r.o.input, strings.Join(names, ", "))
		r.leaveOut("--sites has a machine for each site", names...)
		return nil
	}
	r.simulated = true
	var err error
	if r.processors, err = machine(r.o.input, &r.header, r.o.processors); err != nil {
		return err
	}
	lifetimes, updates, err := r.lifetimesOf(ctx)
	var undetermined *fit.DegenerateError
	if errors.As(err, &undetermined) && len(r.o.predictors) > len(names) {
		r.remark("%s: %v: %s left out", r.o.input, err, strings.Join(names, ", "))
		r.leaveOut(err.Error(), names...)
		r.simulated = false
		return nil
	}
	if err != nil {
		return err
	}
	return r.scoreHeads(ctx, names, lifetimes, updates)
}

// scoreHeads replays the log with the predictors of those names. updates, where
// it is not nil, are the lifetimes, which follow the log.
func (r *predictRun) scoreHeads(ctx context.Context, names []string, lifetimes predict.Lifetimes, updates *predict.PreviousLifetimes) error {
	predictors, names := r.headPredictors(lifetimes, names)
	config := predict.HeadConfig{Processors: r.processors, Predictors: predictors, Warnings: &r.warnings, Updates: updates}
	t := r.newHeadTallies(names)
	if t.curve != nil {
		config.Level = r.limited(lifetimes)
	}
	unknown := 0
	for row, err := range predict.AtHead(r.replay(ctx), config) {
		if err != nil {
			return err
		}
		if updates != nil && !updates.Known() {
			unknown++ // nothing to predict from yet
			continue
		}
		if err := t.add(&row); err != nil {
			return err
		}
	}
	t.conclude()
	if updates != nil {
		return r.sameInterval(ctx, updates, unknown)
	}
	return nil
}

// limited cuts lifetimes at the users' estimates, where that is asked for.
func (r *predictRun) limited(l predict.Lifetimes) predict.Lifetimes {
	if r.o.limits {
		return predict.WithinLimit{Lifetimes: l}
	}
	return l
}

// headPredictors makes the predictors of those names, and the unbiased ones.
func (r *predictRun) headPredictors(l predict.Lifetimes, names []string) ([]predict.HeadPredictor, []string) {
	var predictors []predict.HeadPredictor
	for _, p := range predict.Downey(r.limited(l)) {
		if slices.Contains(names, p.Name()) {
			predictors = append(predictors, p)
		}
	}
	if r.o.unbias {
		for _, p := range slices.Clone(predictors) {
			u := predict.NewUnbiased(p)
			predictors, names = append(predictors, u), append(names, u.Name())
		}
	}
	return predictors, names
}

// sameInterval scores the predictors once more, on the same heads, with the
// parameters of the interval itself: what those of another time lose to.
func (r *predictRun) sameInterval(ctx context.Context, before *predict.PreviousLifetimes, unknown int) error {
	same, err := before.Same()
	if err != nil {
		return err
	}
	predictors, _ := r.headPredictors(same, r.chosen(headNames()))
	tallies := make([]score.WaitTally, len(predictors))
	config := predict.HeadConfig{Processors: r.processors, Predictors: predictors, Updates: same}
	for row, err := range predict.AtHead(r.replay(ctx), config) {
		if err != nil {
			return err
		}
		if unknown > 0 {
			unknown--
			continue
		}
		for i, p := range row.Predictions {
			tallies[i].Add(p.Seconds, row.Actual)
		}
	}
	for i := range tallies {
		s := tallies[i].Result()
		r.scores[i].same = &s
	}
	return nil
}
