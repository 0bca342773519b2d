package site

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// KindsFit is the fit of a site for all jobs, and for interactive and batch
// jobs apart.
type KindsFit struct {
	workload.Kinds
	All           model.Site // of one class
	AllReport     Report
	ByKind        model.Site // of the classes "interactive" and "batch"
	ByKindReport  Report
	WhyNotByKind  string // where ByKind has no class
	InNeitherKind int64  // jobs without a value in the column
}

// FitByKind fits the model three times, as the paper does: to all jobs, to
// the interactive ones and to the batch jobs. The log is read once. By and
// Status of o's CollectOptions: the first is not used, the second is.
//
// It is an error if jobs yields one, if an option is out of range, or if all
// jobs together cannot be fitted (ErrNoClass).
func FitByKind(jobs iter.Seq2[workload.Job, error], clock workload.Clock, k workload.Kinds, o Options) (KindsFit, error) {
	var odd workload.Warnings
	all, kinds, err := fit.CollectKinds(jobs, clock, k, o.CollectOptions, &odd)
	if err != nil {
		return KindsFit{}, err
	}
	f := KindsFit{Kinds: k, InNeitherKind: all.Jobs()}
	for _, c := range kinds {
		f.InNeitherKind -= c.Jobs()
	}
	o.By, o.ClassName = "", nil
	if f.All, f.AllReport, err = FitClasses([]fit.Class{all}, clock, o); err != nil {
		return f, err
	}
	for _, w := range odd.List() {
		f.AllReport.Warnings = append(f.AllReport.Warnings, w.String())
	}
	o.By = k.Column
	if f.ByKind, f.ByKindReport, err = FitClasses(kinds, clock, o); err != nil {
		f.WhyNotByKind = err.Error()
	}
	return f, nil
}
