package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
)

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

func allBoundNames() []string { return slices.Concat(boundNames, variantNames) }

// bounds scores the bounds on the log's own waits.
func (r *predictRun) bounds(ctx context.Context) error {
	names := r.chosen(allBoundNames())
	if len(names) == 0 {
		return nil
	}
	if !r.waits { // the survey knows: no need to read the log again
		r.noWaits = true
		return nil
	}
	predictors, err := r.boundPredictors(names, r.o.quantile)
	if err != nil {
		return err
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
		if errors.Is(err, predict.ErrNoWaits) {
			r.noWaits = true
			return nil
		}
		if err != nil {
			return err
		}
		if !row.Scored {
			continue
		}
		for i, b := range row.Bounds {
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
	return nil
}

// boundPredictors makes the predictors of those names, each for the quantiles.
func (r *predictRun) boundPredictors(names []string, quantiles ...float64) ([]predict.BoundPredictor, error) {
	options, err := boundOptionsOf(&r.o)
	if err != nil {
		return nil, err
	}
	var predictors []predict.BoundPredictor
	for _, name := range names {
		for _, q := range quantiles {
			p, err := predict.NewBound(name, q, r.o.confidence, options)
			if err != nil {
				return nil, err
			}
			predictors = append(predictors, p)
		}
	}
	return predictors, nil
}

// calibrateBound makes the calibration curve of one predictor of bounds. Each level
// is a predictor of its own: a history is cut where the level's own bounds are
// missed, so that no two levels rest on the same waits.
func (r *predictRun) calibrateBound(ctx context.Context, name string) error {
	if !r.waits {
		return nil // bounds says so
	}
	predictors, err := r.boundPredictors([]string{name}, calibrationLevels...)
	if err != nil {
		return err
	}
	training, err := predict.TrainingTenth(r.replay(ctx))
	if err != nil {
		return err
	}
	curve := score.NewCalibrationTally(calibrationLevels)
	for row, err := range predict.Bounds(r.replay(ctx), training, predictors) {
		if errors.Is(err, predict.ErrNoWaits) {
			return nil // bounds says so
		}
		if err != nil {
			return err
		}
		if !row.Scored {
			continue
		}
		for i, b := range row.Bounds {
			curve.Add(i, b.Seconds, row.Actual)
		}
	}
	r.calibration = append(r.calibration, predictCalibration{name, waitsOfLog, curve.Result()})
	return nil
}

// sureOfWaits is how many jobs without a wait are enough for a warning, long before
// the log has been read.
const sureOfWaits = 100_000

// errNoWaits is the error of a log without a wait where nothing but bounds is to be
// scored.
var errNoWaits = fmt.Errorf("%w: %s", predict.ErrNoWaits, hintSimulate)

// boundsOnly says that nothing is to be scored that does without the log's waits.
func (r *predictRun) boundsOnly() bool {
	return len(r.chosen(allBoundNames())) == len(r.o.predictors)
}

const hintSimulate = "'loadstone simulate' gives a log simulated waits"
