package cli

import (
	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
)

// checkModes refuses what does not go together.
func (o *fitOptions) checkModes(cmd *cobra.Command, a *app) error {
	compare, lifetimes, several := o.compare != "" || o.fitted.At != "", o.lifetimes.Classes != nil, o.representative != ""
	if several && (compare || lifetimes) {
		return flags.Usagef(cmd, "want one of --compare, --compare-at, --lifetimes and --representative")
	}
	unused := func(mode string, names ...string) error { return flags.Unused(cmd, mode, names...) }
	laws := []string{"tests", "sequential", "folds", "subsamples", "rank"} // of single laws alone
	switch {
	case several:
		err := unused("--representative, which fits only the model of each site", append(laws,
			"family", "attribute", "replicates", "intervals", "plots", "site", "site-replicates", "components", "stages", "trim", "censored", "method")...)
		if err == nil {
			err = o.checkModelFiles(cmd, a, "--representative of model files alone, which fits no log")
		}
		if err != nil {
			return err
		}
	case compare || lifetimes:
		mode := "--compare"
		names := append(append(laws, siteFlagNames()...), "output", "by", "procs")
		if lifetimes {
			mode, names = "--lifetimes, which is of run times by class", append(names, "attribute")
		} else {
			names = append(names, "least-jobs", "plots")
		}
		if err := unused(mode, names...); err != nil {
			return err
		}
	case o.show == tables.SiteNone && o.output == "" && o.plots.folder == "":
		if err := unused("--site none", "automatic-peak", "p-form", "size-ranges", "min-gap", "max-gap", "short-gap", "procs"); err != nil {
			return err
		}
	}
	switch {
	case compare && lifetimes:
		return flags.Usagef(cmd, "want one of --compare, --compare-at and --lifetimes")
	case o.compare != "" && o.fitted.At != "":
		return flags.Usagef(cmd, "want one of --compare and --compare-at")
	case o.compare == "-" && o.input == "-":
		return flags.Usagef(cmd, "standard input can be only one of the two logs")
	case (compare || lifetimes) && cmd.Flags().Changed("family") && len(o.Families) > 1:
		return flags.Usagef(cmd, "--family: want one with --compare and --lifetimes")
	}
	if (compare || lifetimes) && !cmd.Flags().Changed("family") {
		o.Families = nil // the mode's own
	}
	if compare {
		return o.checkOldCompare(cmd)
	}
	return o.checkOldLifetimes(cmd)
}

// addOldCompareFlags adds the flags of 'loadstone compare --fitted' under the names
// that fit had for them: hidden, until 1.0.
func addOldCompareFlags(cmd *cobra.Command, o *fitOptions) {
	cmd.Flags().StringVar(&o.compare, "compare", "", "compare the log with this one: 'loadstone compare --fitted'")
	cmd.Flags().StringVar(&o.fitted.At, "compare-at", "", "compare the log before and after this moment: 'loadstone compare --at'")
	flags.Hide(cmd, "compare", "compare-at")
}

// checkOldCompare reads the options of --compare and --compare-at.
func (o *fitOptions) checkOldCompare(cmd *cobra.Command) error {
	c := &o.fitted
	c.inputs, c.result = []string{o.input}, o.result
	if o.compare != "" {
		c.inputs = append(c.inputs, o.compare)
	}
	c.Attributes, c.Status, c.Fit = o.Attributes, o.Status, o.Fit
	if len(o.Families) == 1 {
		c.Family = o.Families[0]
	}
	if err := c.Validate(); err != nil {
		return flags.OptionFault(cmd, err)
	}
	return nil
}

// addOldLifetimeFlags adds the flags of 'loadstone lifetimes' under the names that
// fit had for them: hidden, until 1.0.
func addOldLifetimeFlags(cmd *cobra.Command, o *lifetimesOptions) {
	cmd.Flags().StringSliceVar(&o.Classes, "lifetimes", nil, "run times by class: 'loadstone lifetimes'")
	addPeriodFlags(cmd, &o.ComputeOptions)
	flags.Hide(cmd, "lifetimes", "months", "periods")
}

// checkOldLifetimes reads the options of --lifetimes.
func (o *fitOptions) checkOldLifetimes(cmd *cobra.Command) error {
	l := &o.lifetimes
	if l.Classes == nil {
		for _, name := range []string{"months", "periods"} {
			if cmd.Flags().Changed(name) {
				return flags.Usagef(cmd, "--%s goes with --lifetimes", name)
			}
		}
		return nil
	}
	l.input, l.plots, l.result = o.input, o.plots, o.result
	l.Status, l.LeastJobs, l.Fit = o.Status, o.LeastJobs, o.Fit
	if len(o.Families) == 1 {
		l.Family = o.Families[0]
	}
	return l.check(cmd)
}

// deprecated says what to use in place of a flag that works until 1.0.
func (a *app) deprecated(flag, use string) {
	a.warn("%s is deprecated and will be removed in 1.0: use %s", flag, use)
}
