package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/survey"
)

// fitFlags are the options of a fit as they are typed.
type fitFlags struct {
	families, attributes []string
	status               []int
	components           string
	interactive          string // column=value,...
	peaks                []string
	sizeRanges           string
}

// auto is a number of components that the fit chooses.
const auto = "auto"

// addFitFlags adds the flags that say what is fitted, and what a fit is worth.
func addFitFlags(cmd *cobra.Command, f *fitFlags, o *fitOptions) {
	set := cmd.Flags()
	flags.Enums(cmd, &f.families, "family", "families of distributions", fit.Families())
	flags.Enums(cmd, &f.attributes, "attribute", "what to fit", attributeNames())
	flags.By(cmd, &o.By, &o.Named, "fit each class separately (kind: interactive and batch jobs)", survey.ByWords)
	flags.Procs(cmd, &o.Site.Processors, "processors of the machine (default: the header's, of several the largest)")
	addClassLimits(cmd, f, &o.LeastJobs)
	addLawFlags(cmd, &o.Fit)
	set.StringVar(&f.components, "components", "2", fmt.Sprintf("mixtures: `number` of components, 2 to %d, or auto for the lowest BIC", dist.MaxComponents))
	set.BoolVar(&o.Fit.Tests, "tests", false, "also do Anderson-Darling and chi-square tests")
	set.IntVar(&o.Fit.Subsamples, "subsamples", 0, "test this many random samples of 500 to 1000 jobs, as the paper does")
}

// addClassLimits adds the flags that say which jobs and classes count.
func addClassLimits(cmd *cobra.Command, f *fitFlags, leastJobs *int64) {
	cmd.Flags().IntSliceVar(&f.status, "status", nil, "only jobs with these status codes, such as 1 for completed")
	cmd.Flags().Int64Var(leastJobs, "least-jobs", fit.DefaultMinJobs, "smallest number of jobs in a class that is fitted")
}

// lawFlags are the names of addLawFlags.
var lawFlags = []string{"censored", "replicates", "intervals", "seed"}

// addLawFlags adds the flags that say how a law is fitted.
func addLawFlags(cmd *cobra.Command, o *fit.Options) {
	set := cmd.Flags()
	set.BoolVar(&o.Censored, "censored", false, "run times and work: jobs that failed at their limit would have run longer; D is then from the Kaplan-Meier curve; only "+strings.Join(fit.CensoredFamilies(), ", "))
	set.IntVar(&o.Replicates, "replicates", 0, "bootstrap replicates for p-values and intervals; 0 for none")
	set.Float64Var(&o.Intervals, "intervals", 0, "confidence intervals of the parameters at this level, such as 0.95; needs --replicates")
	set.Uint64Var(&o.Seed, "seed", 1, "seed of replicates and subsamples")
}

// read puts what was typed into the options.
func (f *fitFlags) read(cmd *cobra.Command, o *fitOptions) error {
	if cmd.Flags().Changed("family") {
		o.Families = f.families
	}
	for _, name := range f.attributes {
		o.Attributes = append(o.Attributes, fit.Attribute(name))
	}
	for _, code := range f.status {
		o.Status = append(o.Status, int64(code))
	}
	if err := flags.CheckProcs(cmd, o.Site.Processors); err != nil {
		return err
	}
	switch {
	case o.LeastJobs == 0:
		return flags.Usagef(cmd, "--least-jobs 0: want 2 or more")
	case o.Site.MinGap == 0:
		return flags.Usagef(cmd, "--min-gap 0: want 1 or more")
	}
	if o.Fit.ChooseComponents = f.components == auto; !o.Fit.ChooseComponents {
		var err error
		if o.Fit.Components, err = strconv.Atoi(f.components); err != nil || o.Fit.Components < 2 || o.Fit.Components > dist.MaxComponents {
			return flags.Usagef(cmd, "--components: saw %q, want 2 to %d, or auto", f.components, dist.MaxComponents)
		}
	}
	return f.readSite(cmd, o)
}
