package site

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options determine how a site is fitted. The zero value is the default.
type Options struct {
	fit.CollectOptions
	// Name and Source are those of the model: the name by which it is found,
	// and the origin of its log. An empty Name means "site".
	Name, Source string
	// Processors is the size of the machine, from 1 to model.MaxProcessors; 0
	// means the size of the largest job, with a warning. Larger jobs are left
	// out of the laws of sizes, and counted in SizesReport.LeftOut; their run
	// times and arrivals are used.
	Processors int64 `opt:"procs" in:"[1,16777216]" group:"What is fitted" help:"processors of the machine (default: the header's, of several the largest)"`
	// ClassName returns the name of a class in the model. If it is nil, or the
	// name is empty or taken, the name is Class.Label.
	ClassName func(fit.Class) string
	// MinJobs is the smallest number of jobs for which a class is fitted; 0
	// means 100. A class with fewer falls back to its observed sizes and
	// pooled laws.
	MinJobs int64
	// MinGap is the limit, in seconds, above which interarrival times are
	// used: at least 1, because their ln must be above 0; 0 means 1. It
	// affects the shape of the Gamma law more than anything else.
	MinGap float64 `opt:"min-gap" in:"[1,)" default:"1" want:"1 s or more: the logarithm of a gap must be above 0" group:"The model of the site" help:"interarrival times up to this, in seconds, are left out of the site's model"`
	// AutomaticPeaks are removed from the daily cycle (see AutomaticPeak).
	AutomaticPeaks []AutomaticPeak
	// PForm is the form in which the share p of the first Gamma depends on the
	// size: FormLikeliest, FormLinear (the paper's), FormLogOdds or
	// FormConstant; "" means FormLikeliest.
	PForm string `opt:"p-form" default:"likeliest" help:"how the share of the first Gamma of run times depends on the size: by the likeliest line or constant, or a form through groups of sizes (linear: the paper's)"`
	// SizeRanges are the ranges of sizes whose run times and work are fitted
	// separately, as in table 4 of Lublin and Feitelson (2003); nil means up
	// to three ranges with about equal numbers of jobs.
	SizeRanges []fit.SizeRange
	Workers    int // goroutines; 0 means one for each core
}

// ReportSchema is the version of a site report's JSON.
const ReportSchema = "loadstone.site-report/1"

// Report is the result of fitting a site, class by class. Its JSON form is
// ReportSchema: times are in seconds, shares from 0 to 1, and values that are
// missing or not finite are null. Single fits are as in "loadstone.fit/1".
type Report struct {
	Schema  string        `json:"schema"` // ReportSchema
	Column  *string       `json:"column"` // nil if all jobs are one class
	Jobs    int64         `json:"jobs"`
	Classes []ClassReport `json:"classes"` // those of the model, in its order
	// Fallbacks are the other classes of the model, after those of Classes.
	// Parts of them that could not be fitted come from elsewhere.
	Fallbacks []FallbackClass    `json:"fallbacks,omitempty"`
	Skipped   []fit.SkippedClass `json:"skipped"` // the classes that are not in the model
	Warnings  []string           `json:"warnings"`

	// Intervals is the result of DrawIntervals; nil if it was not called.
	Intervals *Intervals `json:"intervals,omitempty"`
}

// ClassReport is the fit of one class.
type ClassReport struct {
	Name  string `json:"name"`
	Label string `json:"label"` // "all", or such as "queue_id=1"
	Jobs  int64  `json:"jobs"`

	Sizes     SizesReport      `json:"sizes"`
	RunTimes  RunTimesReport   `json:"run_times"`
	Work      *WorkReport      `json:"work"`      // nil where the jobs do not determine it
	Estimates *EstimatesReport `json:"estimates"` // nil where the jobs have no requested times
	BySize    []SizeFit        `json:"by_size"`
	Arrivals  ArrivalsReport   `json:"arrivals"`
	Warnings  []string         `json:"warnings"`
}

// ErrNoClass is the cause of the error of Fit if no class could be fitted.
var ErrNoClass = errors.New("no class of jobs could be fitted")

// Fit fits the model of Lublin and Feitelson (2003) to a whole log: sizes, run
// times and their dependence on the size, and arrivals with their daily cycle,
// for each class, and requested times if the log has them. The log is read once
// and not kept in memory.
//
// It is an error if jobs yields one, if an option is out of range, if there are no
// jobs (workload.ErrNoJobs), or if no class could be fitted (ErrNoClass).
func Fit(jobs iter.Seq2[workload.Job, error], clock workload.Clock, o Options) (model.Site, Report, error) {
	var odd workload.Warnings
	classes, err := fit.Collect(jobs, clock, o.CollectOptions, &odd)
	if err != nil {
		return model.Site{}, Report{}, err
	}
	site, report, err := FitClasses(classes, clock, o)
	for _, w := range odd.List() {
		report.Warnings = append(report.Warnings, w.String())
	}
	return site, report, err
}

// FitClasses is Fit for jobs that fit.Collect has gathered.
func FitClasses(classes []fit.Class, clock workload.Clock, o Options) (model.Site, Report, error) {
	if err := o.Validate(); err != nil {
		return model.Site{}, Report{}, err
	}
	o = o.filled()
	report := Report{Schema: ReportSchema, Classes: []ClassReport{}, Skipped: []fit.SkippedClass{}, Warnings: []string{}}
	if by := o.By; by != "" {
		if c := workload.FindColumn(by); c != nil {
			by = c.Name
		}
		report.Column = &by
	}
	if !clock.Known {
		report.Warnings = append(report.Warnings, "the time of day is unknown: arrivals are fitted without peak hours and daily cycle")
	}
	site := model.Site{Schema: model.Schema, Name: o.Name, Source: o.Source, Processors: o.Processors}
	names := map[string]bool{}
	add := func(c fit.Class, class model.Class) string {
		name := ""
		if o.ClassName != nil {
			name = o.ClassName(c)
		}
		if name == "" || names[name] {
			name = c.Label()
		}
		names[name] = true
		class.Name = name
		site.Classes = append(site.Classes, class)
		return name
	}
	span := spanOf(classes)
	var unfitted []unfittedClass
	for _, c := range classes {
		report.Jobs += c.Jobs()
		err := whyNoClass(c)
		if err == nil && len(site.Classes) == model.MaxClasses {
			err = errFull
		}
		if err != nil {
			report.Skipped = append(report.Skipped, fit.SkippedClass{Label: c.Label(), Jobs: c.Jobs(), Why: err.Error()})
			continue
		}
		class, r, err := fitClass(c, clock, o)
		if c.Column != "" {
			class.Arrivals.MeanSeconds = span / float64(c.Jobs())
			if err == nil && poorSizes(c, r.Sizes) {
				class.Sizes = ownSizes(c, o)
				r.Sizes.FromJobs = true
			}
			if err == nil {
				err = validClass(class, o)
			}
		}
		if err != nil {
			unfitted = append(unfitted, unfittedClass{c, err})
			continue
		}
		r.Name = add(c, class)
		report.Classes = append(report.Classes, r)
	}
	pool := pool{classes: classes, unfitted: unfitted, clock: clock, o: o}
	for _, u := range byJobs(unfitted) {
		why := u.why.Error()
		if len(site.Classes) == model.MaxClasses {
			why = errFull.Error()
		} else if len(report.Classes) > 0 && u.Column != "" {
			class, f, err := u.fallBack(&pool, span)
			if err == nil {
				f.Name = add(u.Class, class)
				report.Fallbacks = append(report.Fallbacks, f)
				continue
			}
			why += "; " + err.Error()
		}
		report.Skipped = append(report.Skipped, fit.SkippedClass{Label: u.Label(), Jobs: u.Jobs(), Why: why})
	}
	if o.Processors == 0 && len(report.Classes) > 0 {
		for _, r := range report.Classes {
			site.Processors = max(site.Processors, r.Sizes.Largest)
		}
		report.Warnings = append(report.Warnings, fmt.Sprintf("the machine's size is not given: the largest job's, %d, is used", site.Processors))
	}
	if len(site.Classes) == 0 {
		why := "the log has no jobs"
		if len(report.Skipped) > 0 {
			why = fmt.Sprintf("%s: %s", report.Skipped[0].Label, report.Skipped[0].Why)
		}
		return model.Site{}, report, fmt.Errorf("%w: %s", ErrNoClass, why)
	}
	if err := site.Validate(); err != nil {
		return model.Site{}, report, err
	}
	return site, report, nil
}

// Choices are the values of options that take one of some.
func (o Options) Choices(option string) []string {
	if option == "p-form" {
		return []string{FormLikeliest, FormLinear, FormLogOdds, FormConstant}
	}
	return nil
}

// Validate returns a *workload.OptionError for the first option that is out of
// range.
func (o Options) Validate() error {
	if err := opt.Check(&o); err != nil {
		return err
	}
	if o.MinJobs < 0 {
		return workload.OptionFault("least-jobs", o.MinJobs, "1 or more, or 0 for %d", fit.DefaultMinJobs)
	}
	for _, p := range o.AutomaticPeaks {
		if err := p.validate(); err != nil {
			return err
		}
	}
	return validateRanges(o.SizeRanges)
}

func (o Options) filled() Options {
	if o.MinJobs == 0 {
		o.MinJobs = fit.DefaultMinJobs
	}
	if strings.TrimSpace(o.Name) == "" {
		o.Name = "site"
	}
	opt.Fill(&o)
	return o
}

// whyNoClass is an error for jobs that no class of a model can be of.
func whyNoClass(c fit.Class) error {
	switch {
	case c.Column == "":
	case c.Value == workload.Unknown:
		return fmt.Errorf("%s is unknown: such jobs have no class in a model", c.Column)
	case c.Value < 0:
		return fmt.Errorf("%s is below 0: such jobs have no class in a model", c.Column)
	}
	return nil
}

// fitClass fits one class; an error says why it cannot be.
func fitClass(c fit.Class, clock workload.Clock, o Options) (model.Class, ClassReport, error) {
	r := ClassReport{Label: c.Label(), Jobs: c.Jobs(), Warnings: []string{}}
	if c.Jobs() < o.MinJobs {
		return model.Class{}, r, fmt.Errorf("%s, want at least %d", words.Counted(c.Jobs(), "job"), o.MinJobs)
	}
	class := model.Class{Column: c.Column, Value: c.Value, Jobs: c.Jobs()}
	var err error
	if class.Sizes, r.Sizes, err = fitSizes(c, o); err != nil {
		return class, r, err
	}
	if class.RunTimes, r.RunTimes, err = fitRunTimes(c, o); err != nil {
		return class, r, err
	}
	if class.Arrivals, r.Arrivals, err = fitArrivals(c, clock, o); err != nil {
		return class, r, err
	}
	// A site can be generated without these.
	if class.Work, r.Work, err = fitWork(c, o); err != nil {
		r.Warnings = append(r.Warnings, "no distribution of the total work: "+err.Error())
	}
	if class.Estimates, r.Estimates, err = fitEstimates(c, o); err != nil {
		r.Warnings = append(r.Warnings, "no requested times: "+err.Error())
	}
	if e := r.Estimates; e != nil && e.LeftOut > e.Jobs {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d jobs have a requested time and a run time: they stand for all", e.Jobs, r.Jobs))
	}
	r.BySize, err = fitBySize(c, o)
	return class, r, err
}

// cut returns where a law of ln of seconds is cut: at the sample's largest value; and
// the words for it.
func cut(s fit.Sample) (maxLn float64, source string) {
	if len(s.Values) == 0 {
		return model.MaxLnLimit, "the highest allowed"
	}
	return min(model.MaxLnLimit, largestLn(s)), "the largest seen"
}

// largestLn is ln of the largest value.
func largestLn(s fit.Sample) float64 { return math.Log(s.Values[len(s.Values)-1]) }

// gammaOf takes the Gamma law out of a report of that family.
func gammaOf(r fit.Report) dist.Gamma {
	g, _ := r.Law.(dist.Gamma)
	return g
}
