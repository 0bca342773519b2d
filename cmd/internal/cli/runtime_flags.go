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

// check finds the faults of options.
func (o *runtimeOptions) check(cmd *cobra.Command) error {
	o.Programs = nil
	for _, text := range o.Exec {
		c := outside.ParseCommand(text)
		c.Limit = o.ExecTimeout
		o.Programs = append(o.Programs, c)
	}
	o.UserEstimates = len(o.logs) == 0 && !cmd.Flags().Changed("predictors")
	if err := o.Validate(); err != nil {
		return err
	}
	o.Baseline.Replicates, o.Baseline.Seed = o.Replicates, o.Seed
	entries, err := o.Entries()
	if err != nil {
		return err
	}
	o.requirements, err = runTimeRequirements(cmd, o.Conditions.Texts, append(field.Numbers[evaluate.RunTimeScore](), measureNames(o.Measures)...), entries)
	return err
}

// runTimeRequirements reads --require for scores of entries.
func runTimeRequirements(cmd *cobra.Command, texts, scores []string, entries []runtime.Entry) ([]thresholds.Requirement, error) {
	var all []thresholds.Requirement
	for _, text := range texts {
		r, err := thresholds.ParseRequirement(text, requireForm, scores)
		if err != nil {
			return nil, flags.Usagef("--require: %w", err)
		}
		if err := evaluate.CheckScored("require", text, r.Of, entries); err != nil {
			return nil, flags.OptionFaultOr(err)
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
	fell, err := thresholds.Fallen(o.Baseline, r, baseline, a.note, a.warn)
	if err != nil {
		return err
	}
	return thresholds.Unmet(o.input, append(faults, fell...))
}
