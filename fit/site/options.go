package site

import (
	"cmp"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are the options of Compute. The zero value fits all families to the
// run times of all jobs, and no model of the site.
type Options struct {
	// Families are the laws to fit; empty means all, or with Fit.Censored those of
	// fit.CensoredFamilies.
	Families []string `opt:"family" common:"true" group:"What is fitted" help:"families of distributions (default: all)" brief:"families of distributions, such as hyper-gamma,log-normal (default: all)"`
	// Attributes are the attributes to which laws are fitted; empty means run times.
	Attributes []fit.Attribute `opt:"attribute" default:"run_time" common:"true" help:"what to fit" brief:"what to fit: run_time, size, work, interarrival"`
	// By fits each class separately: words of workload.ParseClasses separated
	// by commas. "" means one class of all jobs. A model of the site can have
	// the values of one identifier, or kinds of jobs, as classes; for other
	// classes only laws are fitted.
	By    string                `opt:"by" classes:"any" common:"true" help:"fit each class separately (kind: interactive and batch jobs)" brief:"fit each value of this column separately, such as queue, or kind: interactive and batch jobs"`
	Named []workload.NamedClass `opt:"class"` // the meaning of the word "class"
	// Status are the status codes of the jobs to use; empty means all jobs.
	Status []int64 `opt:"status" help:"only jobs with these status codes, such as 1 for completed"`
	// LeastJobs is the smallest number of jobs for which a class is fitted; 0
	// means fit.DefaultMinJobs. A class with fewer falls back, in the model, to
	// its observed sizes and pooled laws.
	LeastJobs int64 `opt:"least-jobs" in:"[2,)" usual:"100" help:"smallest number of jobs in a class that is fitted"`
	// Processors is the size of the machine; 0 means the header's, or that of the
	// largest job, with a warning. Larger jobs are left out of the laws of
	// sizes, and counted in SizesReport.LeftOut; their run times and arrivals
	// are used.
	Processors int64 `opt:"procs" in:"[1,16777216]" help:"processors of the machine (default: the header's, of several the largest)"`

	// Fit contains the options of the laws. Its By is not used.
	Fit fit.Options `group:"Distributions"`

	// NoLaws skips the laws of attributes, so that only the model is fitted.
	NoLaws bool
	// Model fits the model of the site too.
	Model bool
	// MinGap is the limit, in seconds, above which interarrival times are
	// used: at least 1, because their ln must be above 0. It affects the shape
	// of the Gamma law more than anything else.
	MinGap float64 `opt:"min-gap" in:"[1,)" default:"1" want:"1 s or more: the logarithm of a gap must be above 0" group:"The model of the site" help:"interarrival times up to this, in seconds, are left out of the site's model"`
	// PForm is the form in which the share p of the first Gamma depends on the
	// size: FormLikeliest, FormLinear (the paper's) or FormConstant.
	PForm string `opt:"p-form" default:"likeliest" help:"how the share of the first Gamma of run times depends on the size: by the likeliest line or constant, or the paper's line through groups of sizes"`
	// SiteReplicates is the number of times that the log's weeks are drawn for
	// 95 % intervals of the site's parameters; or 0 for no intervals.
	SiteReplicates int `opt:"site-replicates" in:"0|[39,100000]" want:"0, or 39 to 100000: with fewer no draw lies beyond the ends of a 95 % interval" help:"draws of the log's weeks, each fitted as the log is, for 95% intervals of the site's parameters; 39 or more"`

	// Seen, if not nil, is called with each job that Status includes, in the log's order.
	Seen func(*workload.Job)

	// Work, if not nil, is called when a long task with size parts begins, to
	// report progress. It returns a function that is called after each part,
	// from any goroutine, and may be nil, and one that is called at the end of
	// the task.
	Work func(label, unit string, size int) (one, end func())

	classNames map[int64]string // names in the header of the values that define the classes
}

// Choices returns the allowed values of an option that has a fixed set of values.
func (o *Options) Choices(option string) (names []string) {
	switch option {
	case "family":
		return fit.Families()
	case "attribute":
		for _, a := range fit.Attributes() {
			names = append(names, string(a))
		}
	case "p-form":
		return []string{FormLikeliest, FormLinear, FormConstant}
	}
	return names
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *Options) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	_, err := o.families()
	return err
}

// classes returns the classes of By.
func (o *Options) classes(h *workload.Header) (*workload.Classifier, error) {
	if o.By == "" {
		return nil, nil
	}
	return opt.Grouping(o, "by", h).ClassesBy(o.By)
}

// families returns the families to fit. If Families is empty, these are all or, with
// Fit.Censored, those that support it.
func (o *Options) families() ([]string, error) {
	chosen := o.Families
	switch {
	case len(chosen) > 0:
	case o.Fit.Censored:
		chosen = fit.CensoredFamilies()
	default:
		chosen = fit.Families()
	}
	for _, family := range chosen {
		if err := o.Fit.Validate(family); err != nil {
			return nil, err
		}
	}
	return chosen, nil
}

// filled returns o with the defaults filled in.
func (o Options) filled() Options {
	o.Families, _ = o.families()
	if words, err := workload.NormalClassWords(workload.SplitClasses(o.By), workload.Grouping{Named: o.Named}); err == nil {
		if o.By = strings.Join(words, ","); o.By == workload.AllJobs {
			o.By = ""
		}
	}
	if len(o.Attributes) == 0 {
		o.Attributes = []fit.Attribute{fit.RunTime}
	}
	o.LeastJobs = cmp.Or(o.LeastJobs, fit.DefaultMinJobs)
	opt.Fill(&o)
	return o
}

// work calls Work, if set, at the beginning of a long task.
func (o *Options) work(label, unit string, size int) (one, end func()) {
	if o.Work == nil {
		return nil, func() {}
	}
	return o.Work(label, unit, size)
}
