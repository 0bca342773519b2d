package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/predict"
)

const predictRequireForm = "coverage(bmbp)>=0.95"

// readAll reads --predictors all: those that can be scored with the other options.
func (o *predictOptions) readAll(cmd *cobra.Command, logs int) error {
	all := evaluate.AllWaitPredictors()
	switch {
	case logs > 1:
		all = slices.Concat(predict.BoundNames(), predict.BoundVariants())
		all = slices.DeleteFunc(all, func(name string) bool { return name == predict.ConformalPoint })
	case o.Sample == 0:
		all = slices.DeleteFunc(all, func(name string) bool { return slices.Contains(evaluate.ArrivalPredictors(), name) })
	}
	switch {
	case !slices.Contains(o.Predictors, "all"):
	case len(o.Predictors) > 1:
		return flags.Usagef("--predictors %s: want all, or names without it", strings.Join(o.Predictors, ","))
	default:
		o.Predictors = all
	}
	return nil
}

// check finds the faults of options, and reads --require.
func (o *predictOptions) check(cmd *cobra.Command) error {
	o.Pictures = o.Plots.Folder != ""
	if err := o.Validate(); err != nil {
		return err
	}
	o.Baseline.Replicates, o.Baseline.Seed = o.Replicates, o.Seed
	var err error
	o.requirements, err = waitRequirements(cmd, o.Conditions.Texts, o.Scored())
	return err
}

// waitRequirements reads --require for scores of predictors.
func waitRequirements(cmd *cobra.Command, texts, scored []string) ([]thresholds.Requirement, error) {
	var all []thresholds.Requirement
	for _, text := range texts {
		r, err := thresholds.ParseRequirement(text, predictRequireForm, union(field.Numbers[evaluate.WaitScore](), field.Numbers[evaluate.ArrivalScore]()))
		switch {
		case err != nil:
			return nil, flags.Usagef("--require: %w", err)
		case len(r.Of) != 1:
			return nil, flags.Usagef("--require: saw %q, want one predictor, such as '%s'", text, predictRequireForm)
		case !slices.Contains(scored, r.Of[0]):
			return nil, flags.Usagef("--require: %q: %q is none of the predictors scored: %s", text, r.Of[0], strings.Join(scored, ", "))
		}
		all = append(all, r)
	}
	return all, nil
}

// waitThresholds says what of --require and --baseline is not met.
func (a *app) waitThresholds(o predictOptions, r *evaluate.WaitsResult, baseline *evaluate.WaitsResult) error {
	var faults []string
	for _, q := range o.requirements {
		s := r.Score(q.Of[0])
		if on := r.Arrivals.Score(q.Of[0]); s == nil && on != nil {
			faults = append(faults, thresholds.Faults(q, *on)...)
			continue
		}
		if s == nil {
			i := slices.IndexFunc(r.LeftOut, func(p evaluate.PredictorLeftOut) bool { return p.Predictor == q.Of[0] })
			why := "it is not scored"
			if i >= 0 {
				why = r.LeftOut[i].Why
			}
			faults = append(faults, fmt.Sprintf("--require '%s': %s is left out: %s", q.Text, q.Of[0], why))
			continue
		}
		faults = append(faults, thresholds.Faults(q, *s)...)
	}
	fell, err := thresholds.Fallen(o.Baseline, r, baseline, a.note, a.warn)
	if err != nil {
		return err
	}
	return thresholds.Unmet(o.input, append(faults, fell...))
}
