package survey

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ByKind is the By of interactive and batch jobs.
const ByKind = "kind"

// ByWords is how Options.By is read.
var ByWords = workload.Grouping{}

// classes are those of By; a nil header is for a check before there is a log.
func (o *Options) classes(h *workload.Header) (*workload.Classifier, error) {
	if o.By == "" {
		return nil, nil
	}
	g := ByWords
	g.Named, g.Header = o.Named, h
	c, err := workload.ClassesOf(workload.SplitClasses(o.By), g)
	return c, workload.OptionNamed("by", err)
}

// Options say what is fitted to a log, and how. The zero value fits all families
// to all run times, and no model of the site.
type Options struct {
	// Families are the laws to fit; none stands for all that Fit allows.
	Families []string
	// Attributes are what they are fitted to; none stands for run times.
	Attributes []fit.Attribute
	// By fits each class on its own: words of workload.ParseClasses by commas. ""
	// is one class of all jobs. ByKind fits all jobs too. A model of the site has
	// classes of the values of one identifier; of others there are laws alone.
	By    string
	Named []workload.NamedClass // what the word "class" stands for
	// Interactive says which jobs are interactive, for ByKind; nil leaves it to
	// the names of partitions and queues in the header. By is then ByKind or "".
	Interactive *Interactive
	// Status are the status codes of the jobs that count; none stands for all.
	Status []int64
	// LeastJobs is how many jobs a class needs to be fitted, 2 or more; 0 is
	// fit.DefaultMinJobs.
	LeastJobs int64

	// Fit is how laws are fitted. Its By is not used.
	Fit fit.Options
	// Rank orders the laws of one class and attribute; "" is fit.ByBIC.
	Rank fit.Criterion

	// NoLaws leaves out the laws of attributes: only the model is fitted.
	NoLaws bool
	// Model asks for the model of the site.
	Model bool
	// Site is how the site is fitted. Its CollectOptions, MinJobs and Rounding
	// follow from the options above, its MaxLnRunTime from Fit.Max. Where they are
	// not given, Name and Source are from the log's name, Processors and ClassName
	// from its header.
	Site site.Options
	// SiteReplicates is how many times the log's weeks are drawn for 95 %
	// intervals of the site's parameters: LeastReplicates or more, or 0 for none.
	SiteReplicates int

	// Work is called as a long task of size parts begins: one counts a part, from
	// any goroutine, and may be nil; end ends the task. nil is for none.
	Work func(label, unit string, size int) (one, end func())
}

// Interactive tells interactive jobs by the values of a column: numbers, or
// names that the header has for them.
type Interactive struct {
	Column string // one of model.Columns
	Values []string
}

// IntervalLevel is the level of the intervals of a site's parameters.
const IntervalLevel = 0.95

// The bounds of SiteReplicates.
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
	if o.Rank != "" {
		if err := o.Rank.Validate(); err != nil {
			return err
		}
		if o.Rank == fit.ByCrossValidation && o.Fit.Folds == 0 {
			return fault("rank", string(o.Rank), "`folds` too, such as 10")
		}
	}
	if _, err := o.families(); err != nil {
		return err
	}
	return o.Site.Validate()
}

// families are those to fit: where none are named, those that can be fitted by
// the method, and to what is rounded, censored or cut.
func (o *Options) families() ([]string, error) {
	chosen := o.Families
	if len(chosen) == 0 {
		chosen = slices.DeleteFunc(fit.Families(), func(family string) bool {
			cells := o.Fit.Rounding != fit.NoRounding || o.Fit.Censored || o.Fit.Max > 0
			return o.Fit.Method != "" && !slices.Contains(fit.Methods(family), o.Fit.Method) ||
				cells && !slices.Contains(fit.CellFamilies(), family)
		})
		if len(chosen) == 0 {
			chosen = fit.Families() // for the error
		}
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
	o.Rank = cmp.Or(o.Rank, fit.ByBIC)
	o.Site.CollectOptions = fit.CollectOptions{Status: o.Status}
	o.Site.MinJobs, o.Site.Rounding = o.LeastJobs, o.Fit.Rounding
	if o.Fit.Max > 0 && slices.Contains(o.Attributes, fit.RunTime) {
		o.Site.MaxLnRunTime = min(math.Log(o.Fit.Max), model.MaxLnLimit)
	}
	return o
}

// work begins a long task.
func (o *Options) work(label, unit string, size int) (one, end func()) {
	if o.Work == nil {
		return nil, func() {}
	}
	return o.Work(label, unit, size)
}
