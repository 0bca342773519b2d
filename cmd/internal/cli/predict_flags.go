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

// addPredictThresholds adds the flags of intervals, thresholds and pictures.
func addPredictThresholds(cmd *cobra.Command, o *predictOptions) {
	addPlotFlags(cmd, &o.plots, "predictions and scores")
	flags.Bootstrap(cmd, &o.replicates, &o.seed, "week or day", " and of --sample with its draws")
	thresholds.RequireFlag(cmd, &o.require, predictRequireForm, thresholds.CSVScores)
	thresholds.BaselineFlags(cmd, &o.baseline, "an accuracy or a correlation fell, a bound's coverage is farther below its quantile, or its pinball loss rose")
}

// readAll reads --predictors all: those that can be scored with the other options.
func (o *predictOptions) readAll(cmd *cobra.Command, logs int) (err error) {
	all := evaluate.AllWaitPredictors()
	switch {
	case logs > 1:
		all = slices.Concat(predict.BoundNames(), predict.BoundVariants())
		all = slices.DeleteFunc(all, func(name string) bool { return name == predict.ConformalPoint })
	case o.sample == 0:
		all = slices.DeleteFunc(all, func(name string) bool { return slices.Contains(evaluate.ArrivalPredictors(), name) })
	}
	o.predictors, err = flags.All(cmd, "predictors", o.predictors, all)
	return err
}

// groupPredictFlags orders the help by what flags are about.
func groupPredictFlags(cmd *cobra.Command) {
	flags.Groups(cmd,
		flags.Group("Who predicts", "predictors", "procs", "sites", "first-jobs", waitFromFlag),
		flags.Group("Lifetimes of running jobs (downey-...)", "law", "classes", "class", "trim", "months", "unbias"),
		flags.Group("Users' estimates (estimates)", "estimate-factor"),
		flags.Group("Bounds (bmbp, chebyshev, qbets and their variants; conformal)", "quantile", "confidence", "groups", "changes"),
		flags.Group("Scores", "sample", "policy", "by", "replicates", "seed", "require", "baseline", "max-drop", "allow-missing"),
		flags.Group("Output", "format", "output", "predictions", "plots", "plot-format"),
	)
	flags.Common(cmd, "predictors", "quantile", "procs", "by", "require", "predictions", "plots", "format", "output")
	flags.Brief(cmd, map[string]string{
		"predictors": "predictors to score (default: the usual ones of 'loadstone help predictors')",
		"require":    "exit with code 3 unless this `condition` holds, such as 'coverage(bmbp)>=0.95'; repeatable",
	})
}

// waits are the options of the library's benchmark.
func (o *predictOptions) waits() evaluate.WaitsOptions {
	w := evaluate.WaitsOptions{
		Predictors: o.predictors, Processors: o.processors, Sites: o.sites, FirstJobs: o.first,
		Law: o.law, Classes: o.classes, Named: o.named, Trim: o.trim,
		Months: o.months, Unbias: o.unbias, EstimateFactor: o.factor,
		Quantile: o.quantile, Confidence: o.confidence, Groups: o.groups, Changes: changeRule(o.changes),
		Sample: o.sample, Policy: o.policy,
		By: o.by, Pictures: o.plots.folder != "", Replicates: o.replicates, Seed: o.seed,
	}
	if o.trim == 0 {
		w.Trim = -1 // the library's word for none
	}
	return w
}

// waitRules says which predictors read the flags of bounds. On a sample of jobs "drawn"
// and "estimates" are bounds too.
func waitRules(sample bool) []flags.Use {
	past := slices.Concat(predict.BoundNames(), predict.BoundVariants())
	past = slices.DeleteFunc(past, func(name string) bool { return name == predict.ConformalPoint })
	bounds := past
	if sample {
		bounds = append(slices.Clip(bounds), "drawn", "estimates")
	}
	return []flags.Use{
		{Flag: "quantile", Predictors: bounds}, {Flag: "confidence", Predictors: bounds},
		{Flag: "groups", Predictors: past}, {Flag: "changes", Predictors: past},
	}
}

func changeRule(name string) predict.ChangeRule {
	return predict.ChangeRule(slices.Index(predict.ChangeRules(), name))
}

// check finds the faults of options, and reads --require.
func (o *predictOptions) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	if err := flags.CheckNamed(cmd, o.named, "classes", &o.classes, o.groups...); err != nil {
		return err
	}
	switch {
	// The library takes 0 for the default.
	case o.quantile == 0:
		return flags.Usagef(cmd, "--quantile 0: want a number between 0 and 1")
	case o.confidence == 0:
		return flags.Usagef(cmd, "--confidence 0: want a number between 0 and 1")
	case o.trim < 0:
		return flags.Usagef(cmd, "--trim %g: want 0 or more and less than 0.5", o.trim)
	case given("sample") && o.sample < 1:
		return flags.Usagef(cmd, "--sample %d: want 1 or more", o.sample)
	case given("first-jobs") && o.first < 1:
		return flags.Usagef(cmd, "--first-jobs %d: want 1 or more", o.first)
	}
	if o.sample == 0 {
		if given("policy") {
			return flags.Usagef(cmd, "--policy is for --sample")
		}
	}
	w := o.waits()
	if err := w.Validate(); err != nil {
		return flags.OptionFault(cmd, err)
	}
	if err := flags.CheckUsed(cmd, waitRules(o.sample > 0), w.Scored()); err != nil {
		return err
	}
	if err := o.baseline.Check(cmd, o.replicates, o.seed); err != nil {
		return err
	}
	if err := checkPlain(cmd, "predictions", o.predictions); err != nil {
		return err
	}
	var err error
	o.requirements, err = waitRequirements(cmd, o.require, w.Scored())
	return err
}

// waitRequirements reads --require for scores of predictors.
func waitRequirements(cmd *cobra.Command, texts, scored []string) ([]thresholds.Requirement, error) {
	var all []thresholds.Requirement
	for _, text := range texts {
		r, err := thresholds.ParseRequirement(text, predictRequireForm, union(field.Numbers[evaluate.WaitScore](), field.Numbers[evaluate.ArrivalScore]()))
		switch {
		case err != nil:
			return nil, flags.Usagef(cmd, "--require: %w", err)
		case len(r.Of) != 1:
			return nil, flags.Usagef(cmd, "--require: saw %q, want one predictor, such as '%s'", text, predictRequireForm)
		case !slices.Contains(scored, r.Of[0]):
			return nil, flags.Usagef(cmd, "--require: %q: %q is none of the predictors scored: %s", text, r.Of[0], strings.Join(scored, ", "))
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
	fell, err := thresholds.Fallen(o.baseline, r, baseline, a.note, a.warn)
	if err != nil {
		return err
	}
	return thresholds.Unmet(o.input, append(faults, fell...))
}
