package cli

import (
	"fmt"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/score"
)

// runTimeRules says which predictors read the constants of runtime.Options.
var runTimeRules = []flags.Use{
	{Flag: "alpha", Predictors: []string{"es", "nws"}},
	{Flag: "window", Predictors: []string{"sm", "nws"}},
	{Flag: "neighbours", Predictors: []string{"knn"}},
	{Flag: "quantile", Predictors: []string{"quantile", runtime.KernelName}},
	{Flag: "confidence", Predictors: []string{"quantile"}},
	{Flag: "optimise", Predictors: []string{runtime.KernelName}},
}

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
	if o.execTimeout <= 0 {
		return flags.Usagef(cmd, "--exec-timeout %v: want more than 0", o.execTimeout)
	}
	if len(o.exec) == 0 && cmd.Flags().Changed("exec-timeout") {
		return flags.Usagef(cmd, "--exec-timeout has no effect without --exec")
	}
	o.Programs = nil
	for _, text := range o.exec {
		c := outside.ParseCommand(text)
		c.Limit = o.execTimeout
		o.Programs = append(o.Programs, c)
	}
	o.UserEstimates = len(o.logs) == 0 && !cmd.Flags().Changed("predictors")
	if err := o.Validate(); err != nil {
		return flags.OptionFault(cmd, err)
	}
	if err := flags.CheckUsed(cmd, runTimeRules, o.Predictors); err != nil {
		return err
	}
	if err := o.baseline.Check(cmd, o.Replicates, o.Seed); err != nil {
		return err
	}
	if err := checkPlain(cmd, "predictions", o.predictions); err != nil {
		return err
	}
	entries, err := o.Entries()
	if err != nil {
		return flags.OptionFault(cmd, err)
	}
	o.requirements, err = runTimeRequirements(cmd, o.require, append(field.Numbers[evaluate.RunTimeScore](), measureNames(o.Measures)...), entries)
	return err
}

// runTimeRequirements reads --require for scores of entries.
func runTimeRequirements(cmd *cobra.Command, texts, scores []string, entries []runtime.Entry) ([]thresholds.Requirement, error) {
	var all []thresholds.Requirement
	for _, text := range texts {
		r, err := thresholds.ParseRequirement(text, requireForm, scores)
		if err != nil {
			return nil, flags.Usagef(cmd, "--require: %w", err)
		}
		if err := evaluate.CheckScored("require", text, r.Of, entries); err != nil {
			return nil, flags.OptionFault(cmd, err)
		}
		all = append(all, r)
	}
	return all, nil
}

// hear prints the standard error of programs, each line after the program's name, even
// with --quiet.
func (a *app) hear(programs []outside.Command) {
	var one sync.Mutex
	for i := range programs {
		name := programs[i].Label
		programs[i].Said = func(line string) {
			one.Lock()
			defer one.Unlock()
			a.say("%s: %s", name, line)
		}
	}
}

// measureNames are the scores of a caller of evaluate.
func measureNames(measures []score.RunTimeMeasure) []string {
	var names []string
	for _, m := range measures {
		names = append(names, m.Name)
	}
	return names
}

// runTimeThresholds says what of --require and --baseline is not met.
func (a *app) runTimeThresholds(o runtimeOptions, r *evaluate.RunTimesResult, baseline *evaluate.RunTimesResult) error {
	var faults []string
	for _, q := range o.requirements {
		s := r.Score(q.Of[0], q.Of[1])
		if s == nil {
			why := evaluate.NoEstimate
			if i := slices.IndexFunc(r.LeftOut, func(c evaluate.ClassesLeftOut) bool { return c.Classes == q.Of[1] }); i >= 0 {
				why = "its classes are left out: " + r.LeftOut[i].Why
			}
			faults = append(faults, fmt.Sprintf("--require '%s': %s", q.Text, why))
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
