package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// classesFlag takes ways of classing by commas: names, or columns joined by +.
type classesFlag struct {
	values *[]string
	chain  bool // the last one may be "estimate", and "default" stands for the paper's
}

func (c *classesFlag) String() string { return strings.Join(*c.values, ",") }

func (c *classesFlag) Type() string { return "name" }

func (c *classesFlag) Set(s string) error {
	names := strings.Split(s, ",")
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	if c.chain && names[0] == "default" {
		names = append(runtime.FallbackClasses(), names[1:]...)
	}
	seen := map[string]string{} // the first name of the same columns
	for i, v := range names {
		if c.chain && v == "estimate" {
			if err := estimateFault(names, i); err != nil {
				return err
			}
			continue
		}
		classes, err := runtime.ClassesOf(v, workload.Grouping{Named: someClass})
		if err != nil {
			return wordsFault(err)
		}
		columns := fmt.Sprint(slices.Sorted(slices.Values(classes.Words())))
		switch first, ok := seen[columns]; {
		case ok && first == v:
			return fmt.Errorf("saw %q twice", v)
		case ok:
			return fmt.Errorf("%q is the same as %q: want one of them", v, first)
		}
		seen[columns] = v
	}
	*c.values = names
	return nil
}

// estimateFault says what is wrong with a chain's "estimate" at i: as its end it
// is the user's own, and elsewhere nobody could tell it from classes of equal
// estimates.
func estimateFault(names []string, i int) error {
	const want = "it is the user's own and ends a chain; want it after classes, such as default,estimate"
	switch {
	case i < len(names)-1 && i > 0:
		return fmt.Errorf("saw %q before %q: %s", names[i], names[i+1], want)
	case i == 0:
		return fmt.Errorf("saw %q first: %s", names[i], want)
	}
	return nil
}

// addClassesFlags adds --classes, --class and --fallback.
func addClassesFlags(cmd *cobra.Command, o *runtimeOptions) {
	addNamedFlag(cmd, &o.Named)
	names := append(runtime.ClassesNames(), "all")
	cmd.Flags().Var(&classesFlag{values: &o.Classes}, "classes",
		"ways of sorting jobs into classes: "+strings.Join(names, ", ")+", or columns, such as user+size:4:16")
	cmd.Flags().Var(&classesFlag{values: &o.Fallback, chain: true}, "fallback",
		"score each predictor also with these `classes` in turn, the first with a history: default ("+strings.Join(runtime.FallbackClasses(), ",")+
			"), or a list; estimate, the user's, may end it")
	for _, name := range []string{"classes", "fallback"} {
		completeBy(cmd, name, func(typed string) []string {
			before := typed[:strings.LastIndexByte(typed, ',')+1]
			var out []string
			for _, v := range names {
				out = append(out, before+v)
			}
			return out
		})
	}
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
			return usagef(cmd, "--%s 0: want more than 0", name)
		}
	}
	if err := checkNamed(cmd, o.Named, "classes", &o.Classes, o.Fallback...); err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return optionFault(cmd, err)
	}
	if err := o.baseline.check(cmd, o.Replicates, o.Seed); err != nil {
		return err
	}
	if err := checkPredictions(cmd, o.predictions); err != nil {
		return err
	}
	entries, err := o.Entries()
	if err != nil {
		return optionFault(cmd, err)
	}
	for _, text := range o.require {
		r, err := parseRequirement(text, requireForm, runTimeScores())
		if err != nil {
			return usagef(cmd, "--require: %w", err)
		}
		if err := evaluate.CheckScored("require", text, r.of, entries); err != nil {
			return optionFault(cmd, err)
		}
		o.requirements = append(o.requirements, r)
	}
	return nil
}
