package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/forecast"
	"github.com/loadstone-hpc/loadstone/predict"
)

// predict --now is the command wait under its former name: hidden, until 1.0.

// onlyNowNames have no scores.
var onlyNowNames = []string{"downey-b-queue", "drawn"}

// scoreFlags mean something without --now only.
var scoreFlags = []string{"quantile", "parameters", "months", "unbias", "estimate-factor", "calibration", "by", "predictions", "plots", "replicates", "require", "baseline", "max-drop", "sites", "interval-jobs", "first-jobs"}

func addNowFlags(cmd *cobra.Command, o *waitOptions) *requestTexts {
	cmd.Flags().StringVar(&o.state, "now", "", "the `state` of 'loadstone wait'")
	t := addRequestFlags(cmd, o)
	for _, flag := range append(requestFlags, "now") {
		cmd.Flags().Lookup(flag).Hidden = true
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if o.state == "" {
			return oneLog(cmd, args)
		}
		return stateAndHistory(cmd, append([]string{o.state}, args...))
	}
	return t
}

// checkNow reads and checks the options of --now, and finds flags of the one
// kind with the other.
func (o *predictOptions) checkNow(cmd *cobra.Command, t *requestTexts, args []string) error {
	n := &o.now
	if n.state == "" {
		for _, flag := range requestFlags {
			if cmd.Flags().Changed(flag) {
				return flags.Usagef(cmd, "--%s is for 'loadstone wait'", flag)
			}
		}
		for _, p := range onlyNowNames {
			if slices.Contains(o.predictors, p) {
				return flags.Usagef(cmd, "--predictors: %s has no score: it is for 'loadstone wait'", p)
			}
		}
		return nil
	}
	for _, flag := range scoreFlags {
		if cmd.Flags().Changed(flag) {
			return flags.Usagef(cmd, "--%s is for scores, not for --now", flag)
		}
	}
	n.old, n.history, n.result, n.machine.Processors = true, args, o.result, o.processors
	q := &n.query
	q.Predictors = o.predictors
	if !cmd.Flags().Changed("predictors") {
		q.Predictors = forecast.Predictors()
	}
	q.Law, q.Classes, q.Trim, q.Limits, q.Seed = o.law, o.classes, o.trim, o.limits, o.seed
	q.Confidence, q.Groups = o.confidence, o.groups
	q.Changes = predict.ChangeRule(slices.Index(predict.ChangeRules(), o.changes))
	return n.check(cmd, t)
}
