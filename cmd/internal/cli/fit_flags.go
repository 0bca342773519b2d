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
	components, stages   string
	interactive          string // column=value,...
	peaks                []string
	sizeRanges           string
}

// auto is a number that the fit chooses.
const auto = "auto"

// addFitFlags adds the flags that say what is fitted, and what a fit is worth.
func addFitFlags(cmd *cobra.Command, f *fitFlags, o *fitOptions) {
	set := cmd.Flags()
	flags.Enums(cmd, &f.families, "family", "families of distributions", fit.Families())
	flags.Enums(cmd, &f.attributes, "attribute", "what to fit", attributeNames())
	addByFlag(cmd, o)
	flags.Procs(cmd, &o.Site.Processors, "processors of the machine (default: the header's)")
	addClassLimits(cmd, f, &o.LeastJobs)
	addLawFlags(cmd, f, &o.Fit)
	addSeedFlag(cmd, &o.Fit)
	set.IntVar(&o.Fit.Sequential, "sequential", 0, "stop once this many replicates are as far from their fit as the data; 10 saves most of the work")
	set.BoolVar(&o.Fit.Tests, "tests", false, "also do Anderson-Darling and chi-square tests")
	set.IntVar(&o.Fit.Folds, "folds", 0, "folds of the cross-validated likelihood; 0 for none")
	set.IntVar(&o.Fit.Subsamples, "subsamples", 0, "test this many random samples of 500 to 1000 jobs, as the paper does")
	flags.Enum(cmd, (*string)(&o.Rank), "rank", "criterion that ranks the families (default: bic)", []string{string(fit.ByBIC), string(fit.ByAIC), string(fit.ByCrossValidation)})
}

// addByFlag adds the flag of the classes that are fitted on their own.
func addByFlag(cmd *cobra.Command, o *fitOptions) {
	flags.By(cmd, &o.By, &o.Named, "fit each class separately (kind: interactive and batch jobs)", survey.ByWords)
}

// addClassLimits adds the flags that say which jobs and classes count.
func addClassLimits(cmd *cobra.Command, f *fitFlags, leastJobs *int64) {
	cmd.Flags().IntSliceVar(&f.status, "status", nil, "only jobs with these status codes, such as 1 for completed")
	cmd.Flags().Int64Var(leastJobs, "least-jobs", fit.DefaultMinJobs, "smallest number of jobs in a class that is fitted")
}

// lawFlags are the names of addLawFlags.
var lawFlags = []string{"components", "stages", "trim", "method", "rounding", "max", "censored", "replicates", "intervals"}

// addLawFlags adds the flags that say how a law is fitted.
func addLawFlags(cmd *cobra.Command, f *fitFlags, o *fit.Options) {
	set := cmd.Flags()
	set.Float64Var(&o.Trim, "trim", 0.1, "uniform-log, with one or more stages: share of the shortest and of the longest jobs left out")
	set.StringVar(&f.components, "components", "2", fmt.Sprintf("mixtures: `number` of components, 2 to %d, or auto for the lowest BIC", dist.MaxComponents))
	set.StringVar(&f.stages, "stages", auto, fmt.Sprintf("multi-stage-uniform-log: `number` of stages, 1 to %d, or auto for the lowest BIC", dist.MaxStages))
	flags.Enum(cmd, &o.Method, "method", "only families that can be fitted by this method: gamma, log-normal, exponential and uniform by moments, multi-stage-uniform-log by either of the others (default: each family's own)",
		[]string{fit.MethodLeastSquares, fit.MethodMaximumLikelihood, fit.MethodMoments})
	flags.Enum(cmd, (*string)(&o.Rounding), "rounding", "use the probability of the interval that is rounded to a value, instead of the density there; for the families of --max, and for the site's run times", []string{string(fit.RoundedNearest), string(fit.RoundedDown)})
	set.BoolVar(&o.Censored, "censored", false, "run times and work: jobs that failed at their limit would have run longer; D is then from the Kaplan-Meier curve")
	set.Float64Var(&o.Max, "max", 0, "truncate the distribution at this value of the attribute, as run times of the published models are at 162754.79 s; 0 for none; only "+strings.Join(fit.CellFamilies(), ", "))
	set.IntVar(&o.Replicates, "replicates", 0, "bootstrap replicates for p-values and intervals; 0 for none")
	set.Float64Var(&o.Intervals, "intervals", 0, "confidence intervals of the parameters at this level, such as 0.95; needs --replicates")
}

// addSeedFlag adds the seed of what is drawn for a fit.
func addSeedFlag(cmd *cobra.Command, o *fit.Options) {
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of replicates, folds and subsamples")
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
	if err := f.readLaws(cmd, &o.Fit); err != nil {
		return err
	}
	return f.readSite(cmd, o)
}

// readLaws puts what was typed of laws into the options.
func (f *fitFlags) readLaws(cmd *cobra.Command, o *fit.Options) error {
	count := func(name, text string, low, high int) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < low || n > high {
			return 0, flags.Usagef(cmd, "--%s: saw %q, want %d to %d, or auto", name, text, low, high)
		}
		return n, nil
	}
	var err error
	if o.ChooseComponents = f.components == auto; !o.ChooseComponents {
		if o.Components, err = count("components", f.components, 2, dist.MaxComponents); err != nil {
			return err
		}
	}
	if f.stages != auto {
		if o.Stages, err = count("stages", f.stages, 1, dist.MaxStages); err != nil {
			return err
		}
	}
	switch {
	case o.Trim < 0:
		return flags.Usagef(cmd, "--trim %g: want 0 or more", o.Trim)
	case o.Trim == 0:
		o.Trim = -1 // none
	}
	return nil
}
