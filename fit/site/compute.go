package site

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

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
	// Check is the check of the model's waits. Compute leaves it nil; evaluate.CheckWaits
	// computes it.
	Check    *model.Check       `json:"check,omitempty"`
	Warnings []workload.Warning `json:"warnings,omitempty"`

	Model      model.Site `json:"-"` // of the site, without classes if there is none
	WhyNoModel error      `json:"-"` // why a requested model is missing

	// By and Attributes are the options of these names, with defaults filled in.
	By         string          `json:"-"`
	Attributes []fit.Attribute `json:"-"`
	Classes    []fit.Class     `json:"-"` // the jobs to which laws are fitted
}

// SeveralSchema names the JSON form of Several and its version.
const SeveralSchema = "loadstone.fits/1"

// Several contains the results for several logs.
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
		By: o.By, Attributes: o.Attributes,
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
	jobs := workload.Each(workload.Until(ctx, log.Jobs()), func(j *workload.Job) {
		r.Log.Jobs++
		starts.AddJob(j)
		if o.Seen != nil && (len(o.Status) == 0 || slices.Contains(o.Status, j.Status)) {
			o.Seen(j)
		}
	})
	var odd workload.Warnings
	var err error
	r.Classes, err = fit.Collect(jobs, clock, fit.CollectOptions{Classes: by, Status: o.Status, Weeks: o.SiteReplicates > 0}, &odd)
	switch {
	case errors.Is(err, workload.ErrNoJobs) && r.Log.Jobs > 0:
		return fmt.Errorf("%s: none of the %d jobs has a requested status code", log.Name, r.Log.Jobs)
	case errors.Is(err, workload.ErrNoJobs):
		return fmt.Errorf("%s: %w", log.Name, err)
	}
	r.Warnings = slices.Concat(log.Warnings(), odd.List(), starts.Warnings())
	return err
}

// fitModel fits the site's model. If that is not possible, it sets WhyNoModel to the reason.
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
	m.Name, m.Source = printable.Text(NameOf(log.Name)), printable.Text("fitted by loadstone to "+filepath.Base(log.Name))
	r.Model, r.Site = m, &report
	if n := o.SiteReplicates; n > 0 {
		one, end := o.work("weeks of "+m.Name, "replicates", n)
		defer end()
		var err error
		if report.Intervals, err = drawIntervals(r.Classes, clock, m, report, o, one); err != nil {
			report.Warnings = append(report.Warnings, err.Error())
		}
	}
	for i := range r.Fits { // only run times: the model has other laws of interarrival times (at peak hours) and sizes (rounded)
		f := &r.Fits[i]
		f.InModel = f.Attribute == fit.RunTime && slices.ContainsFunc(report.Classes, func(c ClassReport) bool { return c.Label == f.By && c.RunTimes.Law.Law == f.Law })
	}
	r.warnSite(report)
}

func (r *Result) warn(rule, format string, args ...any) {
	r.Warnings = append(r.Warnings, workload.Warning{Rule: rule, Text: fmt.Sprintf(format, args...), Count: 1})
}

// warnSite repeats the warnings of the report of the model.
func (r *Result) warnSite(report Report) {
	r.warnSkipped(report.Skipped)
	r.warnFew("class-falls-back", len(report.Fallbacks), func(i int) (string, int64) {
		f := report.Fallbacks[i]
		return fmt.Sprintf("class %s cannot be fitted as a whole (%s): sizes %s, run times %s, interarrival times %s, scaled to its rate", f.Label, f.Why, f.Sizes, f.RunTimes, f.Arrivals), f.Jobs
	})
	for _, w := range report.Warnings {
		r.warn("site", "%s", w)
	}
}

// warnSkipped warns of classes that are not fitted, or not in the model.
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
	span := spanOf(r.Classes)
	if len(r.Model.Classes) == 0 || span == 0 {
		return math.NaN()
	}
	work := 0.0
	for _, c := range r.Classes {
		s := c.Sample(fit.Work)
		for i, v := range s.Values {
			work += v * s.Counts[i]
		}
	}
	return work / (float64(r.Model.Processors) * span)
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
