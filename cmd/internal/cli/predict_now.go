package cli

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/forecast"
	"github.com/loadstone-hpc/loadstone/predict"
)

// predict --now is the command wait under its former name: hidden, until 1.0.

// sampleFlags are those of wait that --sample has too.
var sampleFlags = []string{"policy", "queues", "draws"}

// scoreFlags mean something without --now only.
var scoreFlags = []string{"quantile", "parameters", "months", "unbias", "estimate-factor", "calibration", "by", "predictions", "plots", "replicates", "require", "baseline", "max-drop", "allow-missing", "sites", "interval-jobs", "first-jobs", "sample", "part"}

func addNowFlags(cmd *cobra.Command, o *waitOptions) *requestTexts {
	cmd.Flags().StringVar(&o.state, "now", "", "the `state` of 'loadstone wait'")
	t := addRequestFlags(cmd, o)
	for _, flag := range append(requestFlags, "now") {
		cmd.Flags().Lookup(flag).Hidden = !slices.Contains(sampleFlags, flag)
	}
	cmd.Flags().Lookup("policy").Usage = "who starts next in the schedules of --sample"
	draws := cmd.Flags().Lookup("draws")
	draws.Usage, draws.DefValue = "schedules that 'drawn' simulates for each job of --sample", strconv.Itoa(evaluate.DefaultArrivalDraws)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if o.state == "" {
			return boardLogs(cmd, args)
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
			switch sampled := slices.Contains(sampleFlags, flag); {
			case !cmd.Flags().Changed(flag):
			case sampled && o.sample == 0:
				return flags.Usagef(cmd, "--%s is for --sample", flag)
			case !sampled:
				return flags.Usagef(cmd, "--%s is for 'loadstone wait'", flag)
			}
		}
		if o.sample > 0 && !cmd.Flags().Changed("predictors") {
			o.predictors = evaluate.SamplePredictors()
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
