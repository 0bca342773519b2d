package cli

import (
	"context"
	"math"
	"slices"

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
	var err error
	if r.processors, err = machine(r.o.input, &r.header, r.o.processors); err != nil {
		return err
	}
	lifetimes, updates, err := r.lifetimesOf(ctx)
	if err != nil {
		return err
	}
	if r.o.limits {
		lifetimes = predict.WithinLimit{Lifetimes: lifetimes}
	}
	var predictors []predict.HeadPredictor
	for _, p := range predict.Downey(lifetimes) {
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
	scored := len(predictors)
	a, b := slices.Index(names, "downey-a"), slices.Index(names, "downey-b")
	var curve *score.CalibrationTally
	if r.o.calibrate {
		curve = score.NewCalibrationTally(calibrationLevels)
		for _, q := range calibrationLevels {
			predictors = append(predictors, predict.DowneyAExact{Lifetimes: lifetimes, Quantile: q})
		}
	}
	tallies := make([]score.WaitTally, scored)
	parts := r.newParts(scored)
	var needed score.NeededTally
	if a >= 0 && b >= 0 {
		r.threshold = new(predict.Threshold)
	}
	config := predict.HeadConfig{Processors: r.processors, Predictors: predictors, Warnings: &r.warnings, Updates: updates}
	for row, err := range predict.AtHead(r.replay(ctx), config) {
		if err != nil {
			return err
		}
		if updates != nil && !updates.Known() {
			continue // nothing to predict from yet
		}
		needed.Add(row.Needed, row.Benefactors)
		if r.threshold != nil {
			r.threshold.Add(row.Needed, row.Predictions[a].Seconds, row.Predictions[b].Seconds, row.Actual)
		}
		for i, p := range row.Predictions {
			if i >= scored {
				curve.Add(i-scored, p.Seconds, row.Actual)
				continue
			}
			tallies[i].Add(p.Seconds, row.Actual)
			parts.wait(i, &row.Request, p.Seconds, row.Actual)
			if err := r.write(row.Request.ID, names[i], p.Seconds, row.Actual, p.Observations); err != nil {
				return err
			}
		}
	}
	r.needed = needed.Result()
	for i := range tallies {
		s := tallies[i].Result()
		r.scores = append(r.scores, predictScore{predictor: names[i], waits: waitsAtHead, wait: &s, parts: parts.of(i)})
	}
	if curve != nil {
		r.calibration = append(r.calibration, predictCalibration{"downey-a-exact", waitsAtHead, curve.Result()})
	}
	return nil
}
