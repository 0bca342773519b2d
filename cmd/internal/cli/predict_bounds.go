package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
)

// newBound makes a predictor of bounds.
func newBound(name string, quantile, confidence float64, o predict.BoundOptions) (predict.BoundPredictor, error) {
	switch name {
	case "bmbp":
		return predict.NewBMBP(quantile, confidence, o)
	case "bmbp-authors":
		return predict.NewBMBPAuthors(quantile, confidence, o)
	case "chebyshev":
		return predict.NewChebyshev(quantile, confidence, o)
	case "chebyshev-one-sided":
		return predict.NewChebyshevOneSided(quantile, confidence, o)
	case "log-normal":
		return predict.NewLogNormal(quantile, confidence, o)
	}
	return predict.NewQBETS(quantile, confidence, predict.ByRequestedTime, o)
}

// boundOptionsOf are those of all bounds.
func boundOptionsOf(from *predictOptions) (predict.BoundOptions, error) {
	o := predict.BoundOptions{Changes: predict.ChangeRule(slices.Index(predict.ChangeRules(), from.changes))}
	if len(from.groups) == 0 {
		return o, nil
	}
	var err error
	o.Groups, err = fit.NewClassifier(predictColumns(from.groups))
	return o, err
}

// bounds scores the bounds on the log's own waits.
func (r *predictRun) bounds(ctx context.Context) error {
	names := r.chosen(slices.Concat(boundNames, variantNames))
	if len(names) == 0 {
		return nil
	}
	options, err := boundOptionsOf(&r.o)
	if err != nil {
		return err
	}
	var predictors []predict.BoundPredictor
	var curves []*score.CalibrationTally
	var curveNames []string
	for _, name := range names {
		p, err := newBound(name, r.o.quantile, r.o.confidence, options)
		if err != nil {
			return err
		}
		predictors = append(predictors, p)
	}
	for _, name := range names {
		if !r.calibrates() || name != "bmbp" && name != "qbets" {
			continue
		}
		for _, q := range calibrationLevels {
			p, err := newBound(name, q, r.o.confidence, options)
			if err != nil {
				return err
			}
			predictors = append(predictors, p)
		}
		curves, curveNames = append(curves, score.NewCalibrationTally(calibrationLevels)), append(curveNames, name)
	}
	if err := r.overfull(ctx); err != nil {
		return err
	}
	training, err := predict.TrainingTenth(r.replay(ctx))
	if err != nil {
		return err
	}
	tallies := make([]score.BoundTally, len(names))
	tightness := make([]score.TightnessTally, len(names))
	parts := r.newParts(len(names))
	for row, err := range predict.Bounds(r.replay(ctx), training, predictors) {
		if errors.Is(err, predict.ErrNoWaits) && len(r.scores) > 0 {
			r.app.warn("%s: %v: %s left out; %s", r.o.input, predict.ErrNoWaits, strings.Join(names, " and "), hintSimulate)
			r.leaveOut(predict.ErrNoWaits.Error(), names...)
			return nil
		}
		if errors.Is(err, predict.ErrNoWaits) {
			return fmt.Errorf("%w: %s", err, hintSimulate)
		}
		if err != nil {
			return err
		}
		if !row.Scored {
			continue
		}
		for i, b := range row.Bounds {
			if i >= len(names) {
				k := i - len(names)
				curves[k/len(calibrationLevels)].Add(k%len(calibrationLevels), b.Seconds, row.Actual)
				continue
			}
			tallies[i].Add(b.Seconds, row.Actual)
			tightness[i].Add(b.Seconds, row.Actual)
			parts.bound(i, &row.Request, b.Seconds, row.Actual)
			if err := r.write(row.Request.ID, waitsOfLog, names[i], b, row.Actual); err != nil {
				return err
			}
		}
	}
	for i := range tallies {
		s := tallies[i].Result()
		r.scores = append(r.scores, predictScore{predictor: names[i], waits: waitsOfLog, bound: &s, tightness: tightness[i].Result(), parts: parts.of(i), followed: parts.followed[i]})
	}
	for i, c := range curves {
		r.calibration = append(r.calibration, predictCalibration{curveNames[i], waitsOfLog, c.Result()})
	}
	return nil
}

const hintSimulate = "'loadstone simulate' gives a log simulated waits"
