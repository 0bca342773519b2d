package runtime

import (
	"fmt"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are the constants of the rules. The zero value gives the defaults,
// which are those of Sonmez and others (2009) for their rules.
type Options struct {
	// Alpha is the weight that es gives the newest run time. At 0 the first run time of a
	// class is the prediction for ever; nil stands for 0.5.
	Alpha *float64 `opt:"alpha" in:"[0,1]" default:"0.5" for:"predictors=es|nws" help:"weight that es gives the newest run time, 0 to 1"`
	// Window is how many of the last run times sm takes the median of.
	Window int `opt:"window" in:"[1,1000]" default:"5" for:"predictors=sm|nws" help:"how many run times sm takes the median of"`
	// Neighbours is how many like jobs knn takes the mean of, at most knnHistory.
	Neighbours int `opt:"neighbours" in:"[1,100]" default:"5" for:"predictors=knn" help:"how many similar jobs knn takes the mean of"`
	// Quantile and Confidence say which share of run times the bound of
	// quantile is to cover, and how surely, with a bound from at most 1000 jobs.
	Quantile   float64 `opt:"quantile" in:"(0,1)" default:"0.95" for:"predictors=quantile|kernel" help:"share of run times that the bounds of quantile and kernel are to cover"`
	Confidence float64 `opt:"confidence" in:"(0,1)" default:"0.95" for:"predictors=quantile" help:"confidence that the bound of quantile does"`
	// Optimise is the score that kernel's point is the best for.
	Optimise stats.Objective `opt:"optimise" default:"accuracy" for:"predictors=kernel" help:"score that the prediction of kernel is the best for"`
	// Rules are those among which a predictor's name is looked up, beside kernel; nil
	// stands for Rules().
	Rules []Rule
}

// rules are those of the options.
func (o Options) rules() []Rule {
	if o.Rules == nil {
		return Rules()
	}
	return o.Rules
}

// Choices are the values of options that take one of some.
func (o Options) Choices(option string) []string {
	if option == "optimise" {
		return stats.ObjectiveNames()
	}
	return nil
}

// settings are options with the defaults filled in; they compare.
type settings struct {
	alpha                float64
	window, neighbours   int
	quantile, confidence float64
	optimise             stats.Objective
}

func (o Options) settings() settings {
	o = o.Filled()
	return settings{*o.Alpha, o.Window, o.Neighbours, o.Quantile, o.Confidence, o.Optimise}
}

// Filled returns the options with the defaults in place of what is left out.
func (o Options) Filled() Options {
	opt.Fill(&o)
	return o
}

// Validate returns a *workload.OptionError for the first option out of its
// range.
func (o Options) Validate() error {
	if err := opt.Check(&o); err != nil {
		return err
	}
	names := map[string]bool{KernelName: true}
	for i, r := range o.Rules {
		if r == nil || r.Name() == "" || names[r.Name()] {
			return workload.OptionFault("rules", fmt.Sprintf("number %d is nil, or its name is empty or taken", i+1), "rules, each with a different name")
		}
		names[r.Name()] = true
	}
	s := o.settings()
	_, err := newQuantile(s.quantile, s.confidence)
	return err
}
