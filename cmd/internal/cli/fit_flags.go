package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
)

// fitFlags are the options of a fit as they are typed.
type fitFlags struct {
	components, stages, method, rounding, rank string
}

// auto is a number that the fit chooses.
const auto = "auto"

// addFitFlags adds the options of package fit.
func addFitFlags(cmd *cobra.Command, f *fitFlags, o *fit.Options) {
	flags := cmd.Flags()
	flags.Float64Var(&o.Trim, "trim", 0.1, "uniform-log, one stage or several: share of the shortest and of the longest jobs left out")
	flags.StringVar(&f.components, "components", "2", fmt.Sprintf("mixtures: number of components, 2 to %d, or auto, the lowest BIC's", dist.MaxComponents))
	flags.StringVar(&f.stages, "stages", auto, fmt.Sprintf("multi-stage-uniform-log: number of stages, 1 to %d, or auto, the lowest BIC's", dist.MaxStages))
	enumFlag(cmd, &f.method, "method", "only families that can be fitted so, gamma and hyper-gamma by least-d (the least Kolmogorov-Smirnov distance, not EM's), gamma, log-normal, exponential and uniform by moments, multi-stage-uniform-log by either of the others (default: each family's own)",
		[]string{fit.MethodLeastSquares, fit.MethodMaximumLikelihood, fit.MethodLeastD, fit.MethodMoments})
	enumFlag(cmd, &f.rounding, "rounding", "jobs count with the probability of all that is rounded to their value, not with its density; of the families that know of it (those of --max), and of the site's run times", []string{string(fit.RoundedNearest), string(fit.RoundedDown)})
	flags.BoolVar(&o.Censored, "censored", false, "run times and work: jobs that failed at their limit would have run longer; D is then from the Kaplan-Meier curve")
	flags.Float64Var(&o.Max, "max", 0, "the law is cut at this value of the attribute, as run times of the published models are at 162754.79 s; 0 for no cut; only "+strings.Join(fit.CellFamilies(), ", "))
	flags.IntVar(&o.Replicates, "replicates", 0, "samples drawn and refitted, for p-values and intervals; 0 for neither")
	flags.IntVar(&o.Sequential, "sequential", 0, "stop the replicates once so many are as far from their law as the data; 10 saves most of the work")
	flags.BoolVar(&o.Tests, "tests", false, "Anderson-Darling and chi-square tests beside Kolmogorov-Smirnov's")
	flags.BoolVar(&o.SampledTest, "sampled-test", false, "Lublin and Feitelson's chi-square test, against samples of the law")
	flags.Float64Var(&o.Intervals, "intervals", 0, "confidence intervals of the parameters at this level, such as 0.95; needs --replicates")
	flags.IntVar(&o.Folds, "folds", 0, "parts of the cross-validated likelihood; 0 for none")
	flags.IntVar(&o.Subsamples, "subsamples", 0, "test so many random parts of 500 to 1000 jobs, as the paper does")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of replicates, folds and subsamples")
	enumFlag(cmd, &f.rank, "rank", "what the families are ranked by (default: bic)", []string{string(fit.ByBIC), string(fit.ByAIC), string(fit.ByCrossValidation)})
}

// checkFitFlags puts what was typed into the options.
func checkFitFlags(cmd *cobra.Command, f fitFlags, o *fit.Options) error {
	count := func(name, text string, low, high int) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < low || n > high {
			return 0, usagef(cmd, "--%s: saw %q, want %d to %d, or auto", name, text, low, high)
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
	if err := checkMethod(cmd, f.method); err != nil {
		return err
	}
	o.Method = f.method
	o.Rounding = fit.Rounding(f.rounding)
	if err := checkCells(cmd, o); err != nil {
		return err
	}
	switch {
	case !(o.Trim >= 0 && o.Trim < 0.5):
		return usagef(cmd, "--trim %g: want 0 or more and less than 0.5", o.Trim)
	case o.Replicates < 0:
		return usagef(cmd, "--replicates %d: want 0 or more", o.Replicates)
	case o.Sequential < 0 || o.Sequential > 0 && o.Replicates == 0:
		return usagef(cmd, "--sequential %d: want a number above 0, with --replicates", o.Sequential)
	case !(o.Intervals >= 0 && o.Intervals < 1):
		return usagef(cmd, "--intervals %g: want a level between 0 and 1, such as 0.95", o.Intervals)
	case o.Intervals > 0 && o.Replicates == 0:
		return usagef(cmd, "--intervals %g: want --replicates too, such as 199", o.Intervals)
	case o.Intervals > 0 && o.Sequential > 0:
		return usagef(cmd, "--intervals with --sequential: intervals need all replicates")
	case o.Folds != 0 && (o.Folds < 2 || o.Folds > mostFolds):
		return usagef(cmd, "--folds %d: want 2 to %d", o.Folds, mostFolds)
	case o.Subsamples < 0:
		return usagef(cmd, "--subsamples %d: want 0 or more", o.Subsamples)
	case (o.Method == fit.MethodLeastD || o.Method == fit.MethodMoments) && (f.components != "2" || f.rounding != "" || o.Censored || o.Max != 0):
		return usagef(cmd, "--method %s: goes with none of --components, --rounding, --censored and --max", o.Method)
	case !(o.Max >= 0):
		return usagef(cmd, "--max %g: want 0 or more", o.Max)
	case f.rank == string(fit.ByCrossValidation) && o.Folds == 0:
		return usagef(cmd, "--rank cross-validation: want --folds too, such as 10")
	}
	if o.Trim == 0 {
		o.Trim = -1 // fit's word for none
	}
	return nil
}

// keepFamilies refuses families that do not go with a flag or, where none were
// named, leaves them out.
func keepFamilies(cmd *cobra.Command, can func(family string) bool, refuse func(family string) error) error {
	chosen := cmd.Flags().Lookup("family").Value.(*enumList).values
	if !cmd.Flags().Changed("family") {
		*chosen = slices.DeleteFunc(*chosen, func(family string) bool { return !can(family) })
		return nil // the flag's help lists them
	}
	for _, family := range *chosen {
		if !can(family) {
			return refuse(family)
		}
	}
	return nil
}

// checkMethod keeps the families that can be fitted by a method.
func checkMethod(cmd *cobra.Command, method string) error {
	if method == "" {
		return nil
	}
	return keepFamilies(cmd, func(family string) bool { return slices.Contains(fit.Methods(family), method) },
		func(family string) error {
			return usagef(cmd, "--method %s: %s is fitted by %s", method, family, strings.Join(fit.Methods(family), " or "))
		})
}

// checkCells keeps the families that know of rounding, censoring and limits,
// where one of these is asked for.
func checkCells(cmd *cobra.Command, o *fit.Options) error {
	flag := ""
	switch {
	case o.Rounding != fit.NoRounding:
		flag = "rounding " + string(o.Rounding)
	case o.Censored:
		flag = "censored"
	case o.Max > 0:
		flag = fmt.Sprintf("max %g", o.Max)
	default:
		return nil
	}
	return keepFamilies(cmd, func(family string) bool { return slices.Contains(fit.CellFamilies(), family) },
		func(family string) error {
			return usagef(cmd, "--%s: %s does not know of it, want some of %s", flag, family, strings.Join(fit.CellFamilies(), ", "))
		})
}

// mostFolds is more than any cross-validation takes: each is a fit.
const mostFolds = 100
