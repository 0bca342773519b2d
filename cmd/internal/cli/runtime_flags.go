package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/runtime"
)

// fallbackLabel names the classes of a fallback's entries.
const fallbackLabel = "fallback"

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
		classes, err := runtime.ClassesByName(v)
		if err != nil {
			return classesFault(v, err)
		}
		columns := fmt.Sprint(slices.Sorted(slices.Values(classes.Fields)))
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

// classesFault is the library's error in the form of other flags'.
func classesFault(name string, err error) error {
	_, want, ok := strings.Cut(err.Error(), "want one of ")
	if !ok {
		return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "job runtime: "))
	}
	return fmt.Errorf("%q is none of %s", name, want)
}

// addClassesFlags adds --classes and --fallback.
func addClassesFlags(cmd *cobra.Command, o *runtimeOptions) {
	names := append(runtime.ClassesNames(), "all")
	cmd.Flags().Var(&classesFlag{values: &o.classes}, "classes",
		"ways of sorting jobs into classes: "+strings.Join(names, ", ")+", or up to four columns joined by +, such as user+queue")
	cmd.Flags().Var(&classesFlag{values: &o.fallback, chain: true}, "fallback",
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

// check finds the faults of options that are out of range.
func (o *runtimeOptions) check(cmd *cobra.Command) error {
	switch {
	case !(o.alpha >= 0 && o.alpha <= 1):
		return usagef(cmd, "--alpha %g: want 0 to 1", o.alpha)
	case o.window < 1 || o.window > 1000:
		return usagef(cmd, "--window %d: want 1 to 1000", o.window)
	case o.neighbours < 1 || o.neighbours > 100:
		return usagef(cmd, "--neighbours %d: want 1 to 100", o.neighbours)
	case !(o.quantile > 0 && o.quantile < 1):
		return usagef(cmd, "--quantile %g: want a number between 0 and 1", o.quantile)
	case !(o.confidence > 0 && o.confidence < 1):
		return usagef(cmd, "--confidence %g: want a number between 0 and 1", o.confidence)
	}
	if err := checkBootstrap(cmd, o.replicates); err != nil {
		return err
	}
	if slices.Contains(o.predictors, "all") {
		o.predictors = runtime.PredictorNames()
	}
	if err := o.rules().Validate(); err != nil {
		return usagef(cmd, "%s", strings.TrimPrefix(err.Error(), "job runtime: "))
	}
	if err := checkPredictions(cmd, o.predictions); err != nil {
		return err
	}
	return o.checkNames(cmd)
}

// rules are the options of the predictors.
func (o *runtimeOptions) rules() runtime.Options {
	return runtime.Options{Alpha: &o.alpha, Window: o.window, Neighbours: o.neighbours, Quantile: o.quantile, Confidence: o.confidence}
}

// checkNames checks what --require and --against speak of.
func (o *runtimeOptions) checkNames(cmd *cobra.Command) error {
	classes := o.classes
	if len(o.fallback) > 0 {
		classes = append(slices.Clone(classes), fallbackLabel)
	}
	check := func(flag, text string, of []string) error {
		switch {
		case len(of) != 2:
			return usagef(cmd, "--%s: saw %q, want a predictor and classes, such as last2,user", flag, text)
		case !slices.Contains(o.predictors, of[0]):
			return usagef(cmd, "--%s: %q: %q is none of the predictors scored: %s", flag, text, of[0], strings.Join(o.predictors, ", "))
		case !slices.Contains(classes, of[1]):
			return usagef(cmd, "--%s: %q: %q is none of the classes scored: %s", flag, text, of[1], strings.Join(classes, ", "))
		}
		return nil
	}
	for _, text := range o.require {
		r, err := parseRequirement(text, requireForm, metricNames(runtimeMetrics))
		if err != nil {
			return usagef(cmd, "--require: %w", err)
		}
		if err := check("require", text, r.of); err != nil {
			return err
		}
		o.requirements = append(o.requirements, r)
	}
	if o.against == "" {
		return nil
	}
	return check("against", o.against, strings.Split(o.against, ","))
}
