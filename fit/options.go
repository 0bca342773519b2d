package fit

import (
	"cmp"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options determine how a law is fitted. The zero value is the default.
type Options struct {
	// Families are custom families, in addition to the families of this package.
	Families []Family

	By string // name of the jobs in the sample, for the report; "" means "all"

	// Trim is the share of jobs left out of the line at each end, for
	// uniform-log: 0 means 0.1, as in Downey (1997); a negative number means
	// none.
	Trim float64

	Stages int // number of stages of multi-stage-uniform-log, 1 to dist.MaxStages; 0 means that BIC chooses it

	// Censored includes the jobs that were killed at their limit (Sample.Censored) in the
	// likelihood with the probability that they would have run longer. CensoredFamilies lists the
	// families that support it. D is then the distance from the Kaplan-Meier curve, and there are
	// no replicates: these would need the limits of the jobs that ended.
	Censored bool `opt:"censored" help:"run times and work: treat jobs that failed at their limit as censored; D is then from the Kaplan-Meier curve; only gamma, log-normal, weibull, exponential"`

	// Resolution is the width to which the attribute was rounded: 0 means 1 if all values are
	// whole numbers, else none; a negative number means none. It limits how narrow a component
	// may be, and the bootstrap rounds its samples to it.
	Resolution float64

	// Replicates is the number of bootstrap replicates for the p-value; 0 means no p-value.
	Replicates int `opt:"replicates" in:"0|[2,)" want:"0, or 2 or more" common:"true" help:"bootstrap replicates for p-values and intervals; 0 for none"`
	// Intervals is the level of confidence intervals of the parameters; 0 for none. It
	// needs Replicates.
	Intervals float64 `opt:"intervals" in:"0|(0,1)" want:"a level between 0 and 1, such as 0.95" help:"confidence intervals of the parameters at this level, such as 0.95; needs --replicates"`
	Tests     bool    `opt:"tests" help:"also do Anderson-Darling and chi-square tests"` // in addition to Kolmogorov-Smirnov
	// Subsamples is the number of parts of 500 to 1000 jobs that are tested; 0 for none.
	Subsamples int    `opt:"subsamples" in:"[0,)" help:"test this many random samples of 500 to 1000 jobs, as the paper does"`
	Seed       uint64 `opt:"seed" usual:"1" help:"seed of replicates and subsamples"` // of the bootstrap and the subsamples
	Workers    int    // number of goroutines; 0 means one per core. The result does not depend on it

	// Replicated is called after each replicate has been fitted, from any
	// goroutine, to report progress. It may be nil.
	Replicated func()
}

const defaultTrim = 0.1

// Validate returns a *workload.OptionError for the first option that is out of range for the
// family, which is one of the function Families or of o.Families.
func (o Options) Validate(family string) error {
	f, err := o.familyOf(family)
	if err != nil {
		return err
	}
	return o.validate(f)
}

func (o Options) validate(f family) error {
	switch {
	case !(o.Trim < 0.5):
		return workload.OptionFault("trim", o.Trim, "a share below 0.5")
	case o.Stages < 0 || o.Stages > dist.MaxStages:
		return workload.OptionFault("stages", o.Stages, "1 to %d, or 0 to have it chosen", dist.MaxStages)
	}
	if o.Censored && f.complete != "" {
		return workload.OptionFault("censored", "true", "one or more of %s; %s is not fitted to jobs that were killed at their limit, %s", strings.Join(CensoredFamilies(), ", "), f.name, f.complete)
	}
	if math.IsNaN(o.Resolution) || math.IsInf(o.Resolution, 0) {
		return workload.OptionFault("resolution", o.Resolution, "a finite number")
	}
	if err := opt.Check(&o); err != nil {
		return err
	}
	if o.Replicates > 0 && o.Censored {
		return workload.OptionFault("replicates", o.Replicates, "0 with `censored`: replicates would need the limits of the jobs that ended")
	}
	if fewest := FewestReplicates(o.Intervals); o.Intervals > 0 && o.Replicates < fewest {
		return workload.OptionFault("replicates", o.Replicates, "at least %d for intervals at the level %g", fewest, o.Intervals)
	}
	return nil
}

// filled returns o with the defaults for s filled in.
func (o Options) filled(s Sample) Options {
	if o.By == "" {
		o.By = "all"
	}
	o.Trim = max(0, cmp.Or(o.Trim, defaultTrim))
	switch {
	case o.Resolution < 0:
		o.Resolution = 0
	case o.Resolution == 0 && s.whole():
		o.Resolution = 1
	}
	return o
}
