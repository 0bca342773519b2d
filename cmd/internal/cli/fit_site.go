package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fitColumns are what --by takes.
func fitColumns() []string { return append(model.Columns(), byKind) }

// seenJobs is what passed by on the way into a fit.
type seenJobs struct {
	jobs        int64
	first, last float64 // submissions, s
}

func (s *seenJobs) pass(in workload.JobSeq) workload.JobSeq {
	s.first, s.last = math.Inf(1), math.Inf(-1)
	return func(yield func(workload.Job, error) bool) {
		for j, err := range in {
			if err == nil {
				s.jobs++
				if !math.IsNaN(j.Submit) {
					s.first, s.last = min(s.first, j.Submit), max(s.last, j.Submit)
				}
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

// fitJobs is what a fit knows of a log.
type fitJobs struct {
	seen    seenJobs
	classes []fit.Class // what laws are fitted to, each on its own
	site    []fit.Class // the classes of the site's model, which make up the log
	all     *fit.Class  // of all jobs, where the classes are interactive and batch jobs
}

// collectFit reads a log for its fit.
func collectFit(ctx context.Context, a *app, o fitOptions, log *workload.Log, clock workload.Clock) (fitJobs, error) {
	var (
		jobs     fitJobs
		warnings workload.Warnings
	)
	kinds, byKinds, err := o.site.kinds(o.by, &log.Header)
	if err != nil {
		return jobs, fmt.Errorf("%s: %w", o.input, err)
	}
	weeks := o.site.replicates > 0
	in := jobs.seen.pass(workload.Until(ctx, log.Jobs()))
	if byKinds {
		var all fit.Class
		all, jobs.site, err = fit.CollectKinds(in, clock, kinds, fit.CollectOptions{Status: o.status, Weeks: weeks}, &warnings)
		if err == nil && all.Jobs() > 0 {
			jobs.all = &all
			jobs.classes = append([]fit.Class{all}, jobs.site...)
		}
	} else {
		jobs.classes, err = fit.Collect(in, clock, fit.CollectOptions{By: o.by, Status: o.status, Weeks: weeks}, &warnings)
		jobs.site = jobs.classes
	}
	switch {
	case err != nil:
		return jobs, about(o.input, err)
	case jobs.seen.jobs == 0:
		return jobs, fmt.Errorf("%s: nothing to fit: %w", o.input, workload.ErrNoJobs)
	case len(jobs.classes) == 0:
		return jobs, fmt.Errorf("%s: none of %d jobs has a status of --status", o.input, jobs.seen.jobs)
	case o.by != "" && !byKinds && len(jobs.classes) == 1 && jobs.classes[0].Value == workload.Unknown,
		byKinds && len(jobs.site) == 0:
		column := o.by
		if byKinds {
			column = kinds.Column
		}
		return jobs, fmt.Errorf("%s: no job has a %s to fit by", o.input, column)
	}
	a.warnAll(o.input, log.Warnings())
	a.warnAll(o.input, warnings.List())
	if byKinds {
		if len(jobs.site) == 1 {
			a.warn("%s: all jobs with a %s are %s", o.input, kinds.Column, jobs.site[0].Name)
		}
		in := int64(0)
		for _, c := range jobs.site {
			in += c.Jobs()
		}
		if n := jobs.all.Jobs() - in; n > 0 {
			a.warn("%s: %d jobs without a %s are neither interactive nor batch jobs", o.input, n, kinds.Column)
		}
	}
	return jobs, nil
}

// siteFit is a site's model and how it came about.
type siteFit struct {
	site   model.Site
	report site.Report
	// all is the fit of all jobs as one class, where the model's classes are
	// interactive and batch jobs: the paper fits all three.
	all       *model.Site
	allReport *site.Report
	// whyNoIntervals is why there are none, where they were asked for.
	whyNoIntervals string
}

// fitSite fits the site's model. What could not be fitted is in the reports
// with the error.
func fitSite(a *app, o fitOptions, log *workload.Log, clock workload.Clock, jobs fitJobs) (siteFit, error) {
	options := o.site.options()
	options.MinJobs, options.Rounding = o.lifetimes.least, o.fit.Rounding
	if o.fit.Max > 0 && slices.Contains(o.attributes, string(fit.RunTime)) {
		options.MaxLnRunTime = math.Log(o.fit.Max)
	}
	options.CollectOptions = fit.CollectOptions{Status: o.status}
	options.Name = modelLine(logBase(log.Name))
	options.Source = modelLine("fitted by loadstone to " + filepath.Base(log.Name))
	if options.Processors = o.processors; options.Processors == 0 {
		options.Processors, _ = log.Header.Processors()
	}
	var f siteFit
	if jobs.all != nil {
		all, report, err := site.FitClasses([]fit.Class{*jobs.all}, clock, options)
		if err != nil {
			return f, err
		}
		if err := f.draw(a, o, clock, []fit.Class{*jobs.all}, all, &report, options); err != nil {
			return f, err
		}
		f.all, f.allReport = &all, &report
	}
	if len(jobs.site) > 0 {
		options.By = jobs.site[0].Column
	}
	if jobs.all == nil {
		names := log.Header.NamesOf(options.By)
		options.ClassName = func(c fit.Class) string { return modelLine(names[c.Value]) }
	}
	var err error
	if f.site, f.report, err = site.FitClasses(jobs.site, clock, options); err != nil {
		return f, err
	}
	return f, f.draw(a, o, clock, jobs.site, f.site, &f.report, options)
}

// modelLine is a name from a log or of a file as a model can hold it.
func modelLine(name string) string {
	const most = 500 // bytes
	name = printable.Text(name)
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most-len("…")], "") + "…"
}

// draw puts intervals into the report of a site, where they are asked for; a log
// too short for them gets a warning.
func (f *siteFit) draw(a *app, o fitOptions, clock workload.Clock, classes []fit.Class, m model.Site, report *site.Report, options site.Options) error {
	n := o.site.replicates
	if n == 0 {
		return nil
	}
	one, end := a.work("weeks of "+m.Name, "replicates", n)
	defer end()
	intervals, err := site.DrawIntervals(classes, clock, m, *report, options, site.IntervalOptions{
		Replicates: n, Level: intervalLevel, Seed: o.fit.Seed, Workers: o.fit.Workers, Replicated: one,
	})
	if errors.Is(err, site.ErrFewWeeks) {
		f.whyNoIntervals = strings.TrimPrefix(err.Error(), "fit: ")
		report.Warnings = append(report.Warnings, f.whyNoIntervals)
		return nil
	}
	if err != nil {
		return err
	}
	report.Intervals = &intervals
	return nil
}

// noteEstimates says that a model has the log's requested times.
func (a *app) noteEstimates(report site.Report) {
	jobs, times := int64(0), 0
	for _, c := range report.Classes {
		if e := c.Estimates; e != nil {
			jobs, times = jobs+e.Jobs, max(times, e.Distinct)
		}
	}
	if jobs > 0 {
		a.note("the model has the requested times of %d jobs, up to %d different ones a class; 'loadstone generate --estimates none' leaves them out", jobs, times)
	}
}

// mostWarned is up to how many classes of a model the warnings of each are
// said.
const mostWarned = 3

// warnSite says what a site's fit warns of.
func (a *app) warnSite(input string, f siteFit) {
	a.warnSkipped(input, f.report.Skipped)
	a.warnFallbacks(input, f.report.Fallbacks)
	said := map[string]bool{}
	for _, r := range []*site.Report{f.allReport, &f.report} {
		if r == nil {
			continue
		}
		for _, w := range r.Warnings {
			if !said[w] {
				said[w] = true
				a.warn("%s: %s", input, w)
			}
		}
		if len(r.Classes) > mostWarned {
			continue // the report has them
		}
		for _, c := range r.Classes {
			for _, w := range c.RunTimes.Warnings {
				a.note("note: %s (%s)", w, c.Name)
			}
		}
	}
}

// compareLoads says how the model's offered load compares with the log's: laws
// of ln of interarrival times do not keep the rate of arrivals.
func (a *app) compareLoads(input string, site model.Site, jobs fitJobs) {
	seen := jobs.seen
	if len(site.Classes) == 0 || !(seen.last > seen.first) {
		return
	}
	work := 0.0
	for _, c := range jobs.site {
		s := c.Sample(fit.Work)
		for i, v := range s.Values {
			work += v * s.Counts[i]
		}
	}
	load := work / (float64(site.Processors) * (seen.last - seen.first))
	const (
		text = "offered load: %.3f in the log, %.3f by the model; 'loadstone generate --load R' scales the arrivals of what it makes"
		near = 0.1 // a difference that is no matter
	)
	if made := site.OfferedLoad(); math.Abs(made-load) > near*load {
		a.warn("%s: "+text, input, load, made)
	} else {
		a.note(text, load, made)
	}
}

// warnSkipped says which classes are not in the model, the first few by name.
func (a *app) warnSkipped(input string, skipped []fit.SkippedClass) {
	const most = 3
	var jobs int64
	for i, s := range skipped {
		if i < most {
			a.warn("%s: class %s is not fitted: %s", input, s.Label, s.Why)
		} else {
			jobs += s.Jobs
		}
	}
	if n := len(skipped) - most; n > 0 {
		a.warn("%s: nor are %d more classes, with %d jobs", input, n, jobs)
	}
}

// warnFallbacks says what classes of the model could not be fitted, and what
// they have instead: the first few by name, and the others by their number.
func (a *app) warnFallbacks(input string, classes []site.FallbackClass) {
	const most = 3
	var jobs int64
	for i, f := range classes {
		if i >= most {
			jobs += f.Jobs
			continue
		}
		a.warn("%s: class %s is not fitted as a whole (%s): sizes from %s, run times from %s, interarrival times from %s, at its own rate",
			input, f.Label, f.Why, sourceText(f.Sizes), sourceText(f.RunTimes), sourceText(f.Arrivals))
	}
	if n := len(classes) - most; n > 0 {
		a.warn("%s: nor are %d more classes, with %d jobs; --format json lists what each has", input, n, jobs)
	}
}

func sourceText(s site.Source) string {
	switch s {
	case site.FromFit:
		return "its own law"
	case site.FromJobs:
		return "the values in the log"
	}
	return "a law of several classes together"
}
