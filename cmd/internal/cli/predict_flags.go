package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

const predictRequireForm = "coverage(bmbp)>=0.95"

// addPredictThresholds adds the flags of intervals, thresholds and pictures.
func addPredictThresholds(cmd *cobra.Command, o *predictOptions) {
	cmd.Flags().StringVar(&o.plots, "plots", "", "draw predicted against actual waits, calibration, a burst and coverage over time into this folder, as SVG")
	addBootstrapFlags(cmd, &o.replicates, &o.seed, "week or day", "")
	addRequireFlag(cmd, &o.require, predictRequireForm, metricNames(predictMetrics))
	addBaselineFlags(cmd, &o.baseline, &o.drop, "an accuracy, a bound's coverage or a correlation")
}

// groupPredictFlags orders the help by what flags are about.
func groupPredictFlags(cmd *cobra.Command) {
	groupFlags(cmd,
		flagGroup{"Who predicts", []string{"predictors", "procs", "sites", "first-jobs"}},
		flagGroup{"Lifetimes of running jobs (downey-...)", []string{"law", "classes", "trim", "limits", "parameters", "months", "interval-jobs", "unbias"}},
		flagGroup{"Users' estimates (estimates)", []string{"estimate-factor"}},
		flagGroup{"Bounds (bmbp, chebyshev, qbets and their variants)", []string{"quantile", "confidence", "groups", "changes"}},
		flagGroup{"Scores", []string{"by", "calibration", "replicates", "seed", "require", "baseline", "max-drop"}},
		flagGroup{"Output", []string{"format", "output", "predictions", "plots"}},
	)
}

// checkThresholds finds the faults of the flags above, and reads --require.
func (o *predictOptions) checkThresholds(cmd *cobra.Command) error {
	if err := checkBootstrap(cmd, o.replicates); err != nil {
		return err
	}
	if err := o.drop.check(cmd, o.replicates, o.seed); err != nil {
		return err
	}
	if err := checkPredictions(cmd, o.predictions); err != nil {
		return err
	}
	scored := slices.Clone(o.predictors)
	for _, name := range headNames() {
		if o.unbias && slices.Contains(o.predictors, name) {
			scored = append(scored, name+"-unbiased")
		}
	}
	for _, text := range o.require {
		r, err := parseRequirement(text, predictRequireForm, metricNames(predictMetrics))
		switch {
		case err != nil:
			return usagef(cmd, "--require: %w", err)
		case len(r.of) != 1:
			return usagef(cmd, "--require: saw %q, want one predictor, such as '%s'", text, predictRequireForm)
		case !slices.Contains(scored, r.of[0]):
			return usagef(cmd, "--require: %q: %q is none of the predictors scored: %s", text, r.of[0], strings.Join(scored, ", "))
		}
		o.requirements = append(o.requirements, r)
	}
	return nil
}
