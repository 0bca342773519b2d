package survey

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ByKind is the value of Options.By that separates interactive and batch jobs.
const ByKind = "kind"

// ByWords is the grouping by which Options.By is parsed.
var ByWords = workload.Grouping{}

// classes are those of By; a nil header is for a check before there is a log.
func (o *Options) classes(h *workload.Header) (*workload.Classifier, error) {
	if o.By == "" {
		return nil, nil
	}
	return ByWords.ClassesBy(o.By, o.Named, h)
}

// Options are the options of Compute. The zero value fits all families to the
// run times of all jobs, and no model of the site.
type Options struct {
	// Families are the laws to fit; empty means all, or with Fit.Censored those of
	// fit.CensoredFamilies.
	Families []string
	// Attributes are those to which they are fitted; empty means run times.
	Attributes []fit.Attribute
	// By fits each class separately: words of workload.ParseClasses separated
	// by commas. "" means one class of all jobs. ByKind also fits all jobs
	// together. A model of the site can have the values of one identifier as
	// classes; for other classes only laws are fitted.
	By    string
	Named []workload.NamedClass // the meaning of the word "class"
	// Interactive identifies the interactive jobs, for ByKind; nil uses the
	// names of partitions and queues in the header. If it is set, By must be
	// ByKind or "".
	Interactive *Interactive
	// Status are the status codes of the jobs to use; empty means all jobs.
	Status []int64
	// LeastJobs is the smallest number of jobs for which a class is fitted, at
	// least 2; 0 means fit.DefaultMinJobs.
	LeastJobs int64

	// Fit contains the options of the laws. Its By is not used.
	Fit fit.Options

	// NoLaws skips the laws of attributes, so that only the model is fitted.
	NoLaws bool
	// Model fits the model of the site too.
	Model bool
	// Site contains the options of the site's model. CollectOptions and
	// MinJobs follow from the options above. If not set, Name and Source are taken from the log's name, Processors
	// and ClassName from its header.
	Site site.Options
	// SiteReplicates is the number of times that the log's weeks are drawn for
	// 95 % intervals of the site's parameters: LeastReplicates to
	// MostReplicates, or 0 for no intervals.
	SiteReplicates int

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

// IntervalLevel is the level of the intervals of a site's parameters.
const IntervalLevel = 0.95

// The range of Options.SiteReplicates.
const (
	LeastReplicates = 39 // 2/(1-IntervalLevel)-1: a draw beyond each end
	MostReplicates  = 100_000
)

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *Options) Validate() error {
	fault := func(option, saw, want string) error {
		return &workload.OptionError{Option: option, Saw: saw, Want: want}
	}
	for _, a := range o.Attributes {
		if err := a.Validate(); err != nil {
			return err
		}
	}
	if _, err := o.classes(nil); err != nil {
		return err
	}
	switch {
	case o.LeastJobs != 0 && o.LeastJobs < 2:
		return fault("least-jobs", strconv.FormatInt(o.LeastJobs, 10), "2 or more")
	case o.SiteReplicates != 0 && (o.SiteReplicates < LeastReplicates || o.SiteReplicates > MostReplicates):
		return fault("site-replicates", strconv.Itoa(o.SiteReplicates),
			"0, or 39 to 100000: with fewer no draw lies beyond the ends of a 95 % interval")
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
