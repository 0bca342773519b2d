package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/runtime"
)

// check finds the faults of options.
func (o *runtimeOptions) check(cmd *cobra.Command) error {
	if slices.Contains(o.Predictors, "all") {
		o.Predictors = runtime.PredictorNames()
	}
	// The library takes 0 for the default.
	for name, zero := range map[string]bool{"window": o.Rules.Window == 0, "neighbours": o.Rules.Neighbours == 0,
		"quantile": o.Rules.Quantile == 0, "confidence": o.Rules.Confidence == 0} {
		if zero {
			return flags.Usagef(cmd, "--%s 0: want more than 0", name)
		}
	}
	if err := flags.CheckNamed(cmd, o.Named, "classes", &o.Classes, o.Fallback...); err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return flags.OptionFault(cmd, err)
	}
	if err := o.baseline.check(cmd, o.Replicates, o.Seed); err != nil {
		return err
	}
	if err := checkPredictions(cmd, o.predictions); err != nil {
		return err
	}
	entries, err := o.Entries()
	if err != nil {
		return flags.OptionFault(cmd, err)
	}
	for _, text := range o.require {
		r, err := parseRequirement(text, requireForm, runTimeScores())
		if err != nil {
			return flags.Usagef(cmd, "--require: %w", err)
		}
		if err := evaluate.CheckScored("require", text, r.of, entries); err != nil {
			return flags.OptionFault(cmd, err)
		}
		o.requirements = append(o.requirements, r)
	}
	return nil
}
