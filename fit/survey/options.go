package survey

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ByKind is the value of Options.By that separates interactive and batch jobs.
const ByKind = "kind"

// classes are those of By; a nil header is for a check before there is a log.
func (o *Options) classes(h *workload.Header) (*workload.Classifier, error) {
	if o.By == "" {
		return nil, nil
	}
	return workload.Grouping{}.ClassesBy(o.By, o.Named, h)
}

// Options are the options of Compute. The zero value fits all families to the
// run times of all jobs, and no model of the site.
type Options struct {
	// Families are the laws to fit; empty means all, or with Fit.Censored those of
	// fit.CensoredFamilies.
	Families []string `opt:"family" common:"true" group:"What is fitted" help:"families of distributions (default: all)" brief:"families of distributions, such as hyper-gamma,log-normal (default: all)"`
	// Attributes are those to which they are fitted; empty means run times.
	Attributes []fit.Attribute `opt:"attribute" default:"run_time" common:"true" help:"what to fit" brief:"what to fit: run_time, size, work, interarrival"`
	// By fits each class separately: words of workload.ParseClasses separated
	// by commas. "" means one class of all jobs. ByKind also fits all jobs
	// together. A model of the site can have the values of one identifier as
	// classes; for other classes only laws are fitted.
	By    string                `opt:"by" common:"true" help:"fit each class separately (kind: interactive and batch jobs)" brief:"fit each value of this column separately, such as queue, or kind: interactive and batch jobs"`
	Named []workload.NamedClass `opt:"class"` // the meaning of the word "class"
	// Interactive identifies the interactive jobs, for ByKind; nil uses the
	// names of partitions and queues in the header. If it is set, By must be
	// ByKind or "".
	Interactive *Interactive
	// Status are the status codes of the jobs to use; empty means all jobs.
	Status []int64 `opt:"status" help:"only jobs with these status codes, such as 1 for completed"`
	// LeastJobs is the smallest number of jobs for which a class is fitted, at
	// least 2; 0 means fit.DefaultMinJobs.
	LeastJobs int64 `opt:"least-jobs" in:"[2,)" usual:"100" help:"smallest number of jobs in a class that is fitted"`

	// Fit contains the options of the laws. Its By is not used.
	Fit fit.Options `group:"Distributions"`

	// NoLaws skips the laws of attributes, so that only the model is fitted.
	NoLaws bool
	// Model fits the model of the site too.
	Model bool
	// Site contains the options of the site's model. CollectOptions and
	// MinJobs follow from the options above. If not set, Name and Source are taken from the log's name, Processors
	// and ClassName from its header.
	Site site.Options
	// SiteReplicates is the number of times that the log's weeks are drawn for
	// 95 % intervals of the site's parameters, at least 2/(1-IntervalLevel)-1: a draw
	// beyond each end; or 0 for no intervals.
	SiteReplicates int `opt:"site-replicates" in:"0|[39,100000]" want:"0, or 39 to 100000: with fewer no draw lies beyond the ends of a 95 % interval" group:"The model of the site" help:"draws of the log's weeks, each fitted as the log is, for 95% intervals of the site's parameters; 39 or more"`

	// Seen, if not nil, is called with each job that counts, in the log's order.
	Seen func(*workload.Job)

	// Work, if not nil, is called when a long task with size parts begins, to
	// report progress. It returns a function that is called after each part,
	// from any goroutine, and may be nil, and one that is called at the end of
	// the task.
	Work func(label, unit string, size int) (one, end func())
}

// Interactive identifies interactive jobs by the values of a column: numbers,
// or names that the header has for them.
type Interactive struct {
	Column string // one of model.Columns
	Values []string
}

// ParseInteractive reads "column=value,...".
func ParseInteractive(text string) (*Interactive, error) {
	column, list, ok := strings.Cut(text, "=")
	if !ok {
		return nil, fmt.Errorf("want a column and its values, such as queue_id=1,2")
	}
	i := &Interactive{Column: strings.TrimSpace(column), Values: workload.SplitList(list)}
	for k, value := range i.Values {
		if slices.Contains(i.Values[:k], value) { // most likely another was meant
			return nil, fmt.Errorf("saw %q twice", value)
		}
	}
	return i, nil
}

// IntervalLevel is the level of the intervals of a site's parameters.
const IntervalLevel = 0.95

// Choices are the values of options that take one of some.
func (o *Options) Choices(option string) (names []string) {
	switch option {
	case "family":
		return fit.Families()
	case "attribute":
		for _, a := range fit.Attributes() {
			names = append(names, string(a))
		}
	}
	return names
}

// Grouping is that of ways to sort jobs.
func (o *Options) Grouping(option string) *workload.Grouping {
	if option == "by" {
		return new(workload.Grouping)
	}
	return nil
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *Options) Validate() error {
	fault := func(option, saw, want string) error {
		return &workload.OptionError{Option: option, Saw: saw, Want: want}
	}
	if err := opt.Check(o); err != nil {
		return err
	}
	if _, err := o.classes(nil); err != nil {
		return err
	}
	if i := o.Interactive; i != nil {
		switch {
		case !slices.Contains(model.Columns(), i.Column):
			return fault("interactive", strconv.Quote(i.Column), "column=value,... with one of the columns "+strings.Join(model.Columns(), ", "))
		case len(i.Values) == 0 || slices.Contains(i.Values, ""):
			return fault("interactive", i.Column+"="+strings.Join(i.Values, ","), "values, none of which is empty")
		case o.By != "" && o.By != ByKind:
			return fault("by", o.By, "kind, or none, with `interactive`, which makes the classes interactive and batch")
		}
	}
	if _, err := o.families(); err != nil {
		return err
	}
	return o.Site.Validate()
}

// families are those to fit: where none are named, all that know of censored jobs if
// there are any.
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

// filled returns o with the defaults put in.
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
	o.Site.CollectOptions = fit.CollectOptions{Status: o.Status}
	o.Site.MinJobs = o.LeastJobs
	return o
}

// work begins a long task.
func (o *Options) work(label, unit string, size int) (one, end func()) {
	if o.Work == nil {
		return nil, func() {}
	}
	return o.Work(label, unit, size)
}
