package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are the options of Compute. The zero value fits all families to the
// run times of all jobs, and no model of the site.
type Options struct {
	// Families are the laws to fit; empty means all, or with Fit.Censored those of
	// fit.CensoredFamilies.
	Families []string `opt:"family" common:"true" group:"What is fitted" help:"families of distributions (default: all)" brief:"families of distributions, such as hyper-gamma,log-normal (default: all)"`
	// Attributes are those to which they are fitted; empty means run times.
	Attributes []fit.Attribute `opt:"attribute" default:"run_time" common:"true" help:"what to fit" brief:"what to fit: run_time, size, work, interarrival"`
	// By fits each class separately: words of workload.ParseClasses separated
	// by commas. "" means one class of all jobs. A model of the site can have
	// the values of one identifier, or kinds of jobs, as classes; for other
	// classes only laws are fitted.
	By    string                `opt:"by" common:"true" help:"fit each class separately (kind: interactive and batch jobs)" brief:"fit each value of this column separately, such as queue, or kind: interactive and batch jobs"`
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
	// size: FormLikeliest, FormLinear (the paper's), FormLogOdds or FormConstant.
	PForm string `opt:"p-form" default:"likeliest" help:"how the share of the first Gamma of run times depends on the size: by the likeliest line or constant, or a form through groups of sizes (linear: the paper's)"`
	// SizeRanges are the ranges of sizes whose run times and work are fitted
	// separately, as in table 4 of Lublin and Feitelson (2003); nil means up
	// to three ranges with about equal numbers of jobs.
	SizeRanges []fit.SizeRange
	// SiteReplicates is the number of times that the log's weeks are drawn for
	// 95 % intervals of the site's parameters; or 0 for no intervals.
	SiteReplicates int `opt:"site-replicates" in:"0|[39,100000]" want:"0, or 39 to 100000: with fewer no draw lies beyond the ends of a 95 % interval" help:"draws of the log's weeks, each fitted as the log is, for 95% intervals of the site's parameters; 39 or more"`

	// Seen, if not nil, is called with each job that counts, in the log's order.
	Seen func(*workload.Job)

	// Work, if not nil, is called when a long task with size parts begins, to
	// report progress. It returns a function that is called after each part,
	// from any goroutine, and may be nil, and one that is called at the end of
	// the task.
	Work func(label, unit string, size int) (one, end func())

	classNames map[int64]string // in the header, of the values that make the classes
}

// Choices are the values of options that take one of some.
func (o *Options) Choices(option string) (names []string) {
	switch option {
	case "family":
		return fit.Families()
	case "attribute":
		for _, a := range fit.Attributes() {
			names = append(names, string(a))
		}
	case "p-form":
		return []string{FormLikeliest, FormLinear, FormLogOdds, FormConstant}
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
	if err := opt.Check(o); err != nil {
		return err
	}
	if _, err := o.classes(nil); err != nil {
		return err
	}
	_, err := o.families()
	return err
}

// classes are those of By; a nil header is for a check before there is a log.
func (o *Options) classes(h *workload.Header) (*workload.Classifier, error) {
	if o.By == "" {
		return nil, nil
	}
	return workload.Grouping{}.ClassesBy(o.By, o.Named, h)
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
	opt.Fill(&o)
	return o
}

// work begins a long task.
func (o *Options) work(label, unit string, size int) (one, end func()) {
	if o.Work == nil {
		return nil, func() {}
	}
	return o.Work(label, unit, size)
}

// Schema names the JSON form of Result and its version.
const Schema = "loadstone.fit/1"

// Result is the result of Compute.
type Result struct {
	Schema string           `json:"schema"`
	Log    workload.Summary `json:"log"`
	// Fits are the fitted laws; those of one class and attribute are in order
	// of rank.
	Fits []fit.Report `json:"fits"`
	// Site is the report of the model, nil if there is none.
	Site *Report `json:"site,omitempty"`
	// Check is that of the model, which Compute leaves nil: evaluate.CheckWaits makes it.
	Check    *model.Check       `json:"check,omitempty"`
	Warnings []workload.Warning `json:"warnings,omitempty"`

	Model      model.Site `json:"-"` // of the site, without classes if there is none
	WhyNoModel error      `json:"-"` // why a requested model is missing

	// By and Attributes are those of the options, with defaults filled in.
	By         string          `json:"-"`
	Attributes []fit.Attribute `json:"-"`
	Classes    []fit.Class     `json:"-"` // the jobs to which laws are fitted
	// First and Last are the times of the first and the last submission, in
	// seconds; infinite if no job has one.
	First float64 `json:"-"`
	Last  float64 `json:"-"`
}

// SeveralSchema names the JSON form of Several and its version.
const SeveralSchema = "loadstone.fits/1"

// Several are the results of several logs.
type Several struct {
	Schema string    `json:"schema"`
	Logs   []*Result `json:"logs"`
}

// ErrNothing is the cause of the error of Compute if nothing could be fitted.
var ErrNothing = errors.New("nothing could be fitted")

// Compute fits laws and, if requested, the site's model to a log.
//
// An option that cannot be used is a *workload.OptionError; a log without jobs
// is an error that wraps workload.ErrNoJobs. If nothing could be fitted the
// error wraps ErrNothing, and the Result contains the jobs that were collected.
// The log is read to its end, not closed.
func Compute(ctx context.Context, log *workload.Log, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.filled()
	r := &Result{
		Schema: Schema, Log: workload.Summary{Name: log.Name}, Fits: []fit.Report{},
		By: o.By, Attributes: o.Attributes, First: math.Inf(1), Last: math.Inf(-1),
	}
	if o.Processors == 0 {
		o.Processors, _ = log.Header.Processors()
	}
	by, err := o.classes(&log.Header)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", log.Name, err)
	}
	if err := r.collect(ctx, log, by, o); err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, log.Header.ClockWarnings()...)
	if !o.NoLaws {
		if err := r.fitLaws(ctx, o); err != nil {
			return nil, err
		}
	}
	if o.Model {
		r.fitModel(log, by, o)
	}
	if len(r.Fits) == 0 && len(r.Model.Classes) == 0 {
		if why := r.WhyNoModel; why != nil {
			return r, fmt.Errorf("%s: %w: %w", log.Name, ErrNothing, why)
		}
		return r, fmt.Errorf("%s: %w", log.Name, ErrNothing)
	}
	return r, nil
}

// collect reads the log into classes of jobs.
func (r *Result) collect(ctx context.Context, log *workload.Log, by *workload.Classifier, o Options) error {
	if by != nil {
		log.WatchClasses(by, false)
	}
	clock, _ := log.Header.Clock()
	starts := workload.NewStartsWatch(o.Processors)
	jobs := func(yield func(workload.Job, error) bool) {
		for j, err := range workload.Until(ctx, log.Jobs()) {
			if err == nil {
				r.Log.Jobs++
				if !math.IsNaN(j.Submit) {
					r.First, r.Last = min(r.First, j.Submit), max(r.Last, j.Submit)
				}
				starts.Add(j.Submit, j.Wait, j.Run, j.Size)
				if o.Seen != nil && (len(o.Status) == 0 || slices.Contains(o.Status, j.Status)) {
					o.Seen(&j)
				}
			}
			if !yield(j, err) {
				return
			}
		}
	}
	var odd workload.Warnings
	var err error
	r.Classes, err = fit.Collect(jobs, clock, fit.CollectOptions{Classes: by, Status: o.Status, Weeks: o.SiteReplicates > 0}, &odd)
	switch {
	case errors.Is(err, workload.ErrNoJobs) && r.Log.Jobs > 0:
		return fmt.Errorf("%s: none of %d jobs has one of the status codes asked for", log.Name, r.Log.Jobs)
	case errors.Is(err, workload.ErrNoJobs):
		return fmt.Errorf("%s: %w", log.Name, err)
	}
	r.Warnings = slices.Concat(log.Warnings(), odd.List(), starts.Warnings())
	return err
}

// fitModel fits the site's model. Where that is not possible, WhyNoModel is the
// reason.
func (r *Result) fitModel(log *workload.Log, by *workload.Classifier, o Options) {
	if by != nil && !fit.OneIdentifier(by) {
		r.WhyNoModel = fmt.Errorf("classes by %s, want those of one of %s", o.By, strings.Join(model.Columns(), ", "))
		r.warn("no-model", "no model of the site: %v", r.WhyNoModel)
		return
	}
	if by != nil {
		o.classNames = log.Header.NamesOf(by.Columns()[0].Column)
	}
	clock, _ := log.Header.Clock()
	m, report, why := Fit(r.Classes, clock, o)
	if why != nil {
		r.WhyNoModel = why
		r.warn("no-model", "no model of the site: %v", why)
		r.warnSite(report)
		return
	}
	m.Name, m.Source = ModelLine(NameOf(log.Name)), ModelLine("fitted by loadstone to "+filepath.Base(log.Name))
	r.Model, r.Site = m, &report
	if n := o.SiteReplicates; n > 0 {
		one, end := o.work("weeks of "+m.Name, "replicates", n)
		defer end()
		var err error
		if report.Intervals, err = drawIntervals(r.Classes, clock, m, report, o, one); err != nil {
			report.Warnings = append(report.Warnings, err.Error())
		}
	}
	for i := range r.Fits { // the model has laws of its own of interarrival times and sizes, of peak hours and rounded sizes
		f := &r.Fits[i]
		f.InModel = f.Attribute == fit.RunTime && slices.ContainsFunc(report.Classes, func(c ClassReport) bool { return c.Label == f.By && c.RunTimes.Law.Law == f.Law })
	}
	r.warnSite(report)
}

func (r *Result) warn(rule, format string, args ...any) {
	r.Warnings = append(r.Warnings, workload.Warning{Rule: rule, Text: fmt.Sprintf(format, args...), Count: 1})
}

// warnSite repeats what the report of the model warns of.
func (r *Result) warnSite(report Report) {
	r.warnSkipped(report.Skipped)
	r.warnFew("class-falls-back", len(report.Fallbacks), func(i int) (string, int64) {
		f := report.Fallbacks[i]
		return fmt.Sprintf("class %s has too few jobs for a whole fit (%s): sizes %s, run times %s, interarrival times %s, scaled to its rate", f.Label, f.Why, f.Sizes, f.RunTimes, f.Arrivals), f.Jobs
	})
	for _, w := range report.Warnings {
		r.warn("site", "%s", w)
	}
}

// warnSkipped names classes that are not fitted, or not in the model.
func (r *Result) warnSkipped(skipped []fit.SkippedClass) {
	r.warnFew("class-not-fitted", len(skipped), func(i int) (string, int64) {
		c := skipped[i]
		return fmt.Sprintf("class %s is not fitted: %s", c.Label, c.Why), c.Jobs
	})
}

// warnFew warns of each of the first three classes, and counts the others and their jobs.
func (r *Result) warnFew(rule string, n int, of func(i int) (text string, jobs int64)) {
	const most = 3
	var rest int64
	for i := range n {
		text, jobs := of(i)
		if i < most {
			r.warn(rule, "%s", text)
		} else {
			rest += jobs
		}
	}
	if n > most {
		r.warn(rule, "%s not fitted as well, with %s; the report of the site lists them", words.Counted(n-most, "class"), words.Counted(rest, "job"))
	}
}

// OfferedLoad returns the load that the jobs of the model's classes offered to
// the model's machine, from the first submission to the last. Laws of the
// logarithm of interarrival times do not preserve it. It is NaN if there is no
// model, or no time between submissions.
func (r *Result) OfferedLoad() float64 {
	if len(r.Model.Classes) == 0 || !(r.Last > r.First) {
		return math.NaN()
	}
	work := 0.0
	for _, c := range r.Classes {
		s := c.Sample(fit.Work)
		for i, v := range s.Values {
			work += v * s.Counts[i]
		}
	}
	return work / (float64(r.Model.Processors) * (r.Last - r.First))
}

// NameOf returns a log's name without its folder and extensions; "site" if
// nothing is left.
func NameOf(log string) string {
	base := filepath.Base(log)
	for _, ext := range []string{".gz", ".zst", ".xz", ".bz2", ".swf", ".parquet", ".arrow", ".csv"} {
		base = strings.TrimSuffix(base, ext)
	}
	if base == "-" || base == "" {
		return "site"
	}
	return base
}

// ModelLine returns a name in the form that a model can hold: one printable
// line of at most 500 bytes.
func ModelLine(name string) string {
	const most = 500
	name = printable.Text(name)
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most-len("…")], "") + "…"
}
