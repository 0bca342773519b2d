package site

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ReportSchema is the version of a site report's JSON.
const ReportSchema = "loadstone.site-report/1"

// Report is the result of fitting a site's model, class by class. Its JSON form is
// ReportSchema: times are in seconds, shares from 0 to 1, and values that are
// missing or not finite are null. Single fits are as in "loadstone.fit/1".
type Report struct {
	Schema  string        `json:"schema"` // ReportSchema
	Column  *string       `json:"column"` // nil if all jobs are one class
	Jobs    int64         `json:"jobs"`
	Classes []ClassReport `json:"classes"` // the classes of the model, in its order
	// Fallbacks are the other classes of the model, which follow Classes in it. Some of their
	// parts could not be fitted and have other sources.
	Fallbacks []FallbackClass    `json:"fallbacks,omitempty"`
	Skipped   []fit.SkippedClass `json:"skipped"` // the classes that are not in the model
	Warnings  []string           `json:"warnings"`
	Intervals *Intervals         `json:"intervals,omitempty"` // nil if none were requested
}

// ClassReport is the fit of one class.
type ClassReport struct {
	Name  string `json:"name"`
	Label string `json:"label"` // "all", or a label such as "queue_id=1"
	Jobs  int64  `json:"jobs"`

	Sizes     SizesReport      `json:"sizes"`
	RunTimes  RunTimesReport   `json:"run_times"`
	Estimates *EstimatesReport `json:"estimates"` // nil if the jobs have no requested times
	Arrivals  ArrivalsReport   `json:"arrivals"`
	Warnings  []string         `json:"warnings"`
}

func (r *ClassReport) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// ErrNoClass is the cause of the error of Fit if no class could be fitted.
var ErrNoClass = errors.New("no class of jobs could be fitted")

// maxClasses is the largest number of classes of a model.
const maxClasses = 1 << 12

// Fit fits the model of Lublin and Feitelson (2003) to jobs that fit.Collect has collected, as
// Compute does: sizes, run times and their dependence on the size, and arrivals with their daily
// cycle, for each class, and requested times if the log has them. The name of the model is a
// placeholder.
//
// It is an error if an option is out of range, or if no class could be fitted (ErrNoClass).
func Fit(classes []fit.Class, clock workload.Clock, o Options) (model.Site, Report, error) {
	if err := o.Validate(); err != nil {
		return model.Site{}, Report{}, err
	}
	o = o.filled()
	f := fitter{o: o, clock: clock}
	site := model.Site{Schema: model.Schema, Name: "site", Processors: o.Processors}
	report := Report{Schema: ReportSchema, Classes: []ClassReport{}, Skipped: []fit.SkippedClass{}, Warnings: []string{}}
	if !clock.Known {
		report.Warnings = append(report.Warnings, "the time of day is unknown: arrivals are fitted without peak hours and daily cycle")
	}
	skip := func(c fit.Class, why error) {
		report.Skipped = append(report.Skipped, fit.SkippedClass{Label: c.Label(), Jobs: c.Jobs(), Why: why.Error()})
	}
	names := map[string]bool{}
	add := func(c fit.Class, class model.Class) string {
		class.Name = printable.Text(cmp.Or(c.Name, o.classNames[c.Value], c.Label()))
		if names[class.Name] {
			class.Name = c.Label()
		}
		names[class.Name] = true
		site.Classes = append(site.Classes, class)
		return class.Name
	}
	full := fmt.Errorf("a model has at most %d classes", maxClasses)
	span := spanOf(classes)
	var unfitted []fit.Class
	why := map[string]error{} // by label
	for _, c := range classes {
		report.Jobs += c.Jobs()
		switch {
		case c.Column != "" && c.Value < 0:
			skip(c, fmt.Errorf("%s is unknown or below 0: such jobs have no class in a model", c.Column))
			continue
		case len(site.Classes) == maxClasses:
			skip(c, full)
			continue
		case c.Column != "":
			report.Column = &c.Column
		}
		class, r, err := f.fit(c)
		if c.Column != "" {
			class.Arrivals.MeanSeconds = span / float64(c.Jobs())
			if err == nil && poorSizes(c, r.Sizes) {
				class.Sizes, r.Sizes.FromJobs = &model.SizeTable{Rows: ownSizes(c, o)}, true
			}
			if err == nil {
				err = validClass(class, o)
			}
		}
		if err != nil {
			unfitted, why[c.Label()] = append(unfitted, c), err
			continue
		}
		r.Name = add(c, class)
		report.Classes = append(report.Classes, r)
	}
	pooled := sync.OnceValues(func() (model.Class, error) { return f.pooled(unfitted, classes) })
	slices.SortStableFunc(unfitted, func(a, b fit.Class) int { return cmp.Compare(b.Jobs(), a.Jobs()) })
	for _, c := range unfitted {
		err := why[c.Label()]
		switch {
		case len(site.Classes) == maxClasses:
			err = full
		case len(report.Classes) > 0 && c.Column != "":
			class, fallback, fault := f.fallBack(c, span, pooled)
			if fault == nil {
				fallback.Name, fallback.Why = add(c, class), err.Error()
				report.Fallbacks = append(report.Fallbacks, fallback)
				continue
			}
			err = fmt.Errorf("%w; %w", err, fault)
		}
		skip(c, err)
	}
	if len(site.Classes) == 0 {
		why := "the log has no jobs"
		if len(report.Skipped) > 0 {
			why = fmt.Sprintf("%s: %s", report.Skipped[0].Label, report.Skipped[0].Why)
		}
		return model.Site{}, report, fmt.Errorf("%w: %s", ErrNoClass, why)
	}
	if o.Processors == 0 {
		for _, r := range report.Classes {
			site.Processors = max(site.Processors, r.Sizes.Largest)
		}
		report.Warnings = append(report.Warnings, fmt.Sprintf("the machine's size is not given: the largest job's, %d, is used", site.Processors))
	}
	return site, report, site.Validate()
}

// fitter fits the model of a class, part by part: sizes, run times, arrivals and requested times.
// Each part has a method that returns the part of the model and fills in that of the report.
type fitter struct {
	o     Options
	clock workload.Clock
	// whole is the report of the whole class if draws of its weeks are fitted, nil otherwise.
	// The laws of a draw are fitted starting from its laws. Parts that a draw does not
	// determine are left out, and so are descriptions of the fit.
	whole *ClassReport
}

// fit fits one class. The error states why it cannot be fitted.
func (f *fitter) fit(c fit.Class) (m model.Class, r ClassReport, err error) {
	m = model.Class{Column: c.Column, Value: c.Value, Jobs: c.Jobs()}
	r = ClassReport{Label: c.Label(), Jobs: c.Jobs(), Warnings: []string{}}
	if c.Jobs() < f.o.LeastJobs {
		return m, r, errors.New(tooFew(c.Jobs(), f.o))
	}
	if m.Sizes, err = f.sizes(c, &r); err == nil {
		m.RunTimes, err = f.runTimes(c, &r)
	}
	if err == nil {
		m.Arrivals, err = f.arrivals(c, &r)
	}
	if err != nil {
		return m, r, err
	}
	// A site can be generated without requested times.
	if m.Estimates, err = f.estimates(c, &r); err != nil {
		r.warn("the model has no requested times: %v", err)
	}
	return m, r, nil
}

// law fits a law of ln of an attribute; for a draw it starts from the law of the whole class.
func (f *fitter) law(family string, a fit.Attribute, s fit.Sample, by string) (fit.Report, error) {
	if f.whole == nil {
		return fit.Fit(family, a, s, fit.Options{By: by, Workers: f.o.Fit.Workers})
	}
	whole := f.whole.RunTimes.Law
	if a == fit.Interarrival {
		whole = f.whole.Arrivals.Peak
	}
	law, err := whole.Refit(s, a != fit.Interarrival)
	return fit.Report{Law: law}, err
}

// maxLn returns the largest value of a law of ln of seconds: ln of the sample's largest value, at
// most model.MaxLnLimit.
func maxLn(s fit.Sample) float64 {
	if len(s.Values) == 0 {
		return model.MaxLnLimit
	}
	return min(model.MaxLnLimit, math.Log(s.Values[len(s.Values)-1]))
}

// EstimatesReport describes the requested times of a class's jobs.
type EstimatesReport struct {
	Jobs     int64   `json:"jobs" show:"jobs"`                      // number of jobs with a requested time and a run time
	LeftOut  int64   `json:"left_out" show:"left out"`              // number of the other jobs
	Distinct int     `json:"distinct" show:"different"`             // number of distinct requested times
	Largest  float64 `json:"largest_s" show:"longest,duration"`     // s
	Overrun  int64   `json:"overrun" show:"ran longer"`             // number of jobs that ran longer than requested
	RoundTo  float64 `json:"round_s" show:"rounded up to,duration"` // s; requested times were rounded up to multiples of it; 0 means no rounding
}

// estimates returns the requested times of a class, nil and no error if its jobs have none.
func (f *fitter) estimates(c fit.Class, r *ClassReport) (model.Estimates, error) {
	l, err := c.Estimates()
	if l == nil || err != nil {
		return nil, err
	}
	n := l.Jobs()
	if n < f.o.LeastJobs {
		return nil, fmt.Errorf("%s %s one, want at least %d", words.Counted(n, "job"), words.Plural(n, "has", "have"), f.o.LeastJobs)
	}
	r.Estimates = &EstimatesReport{n, l.LeftOut, len(l.Bins), l.Bins[len(l.Bins)-1].Time, l.Overrun, l.RoundTo}
	if l.LeftOut > n {
		r.warn("only %d of %d jobs have a requested time and a run time: the model's requested times are theirs", n, r.Jobs)
	}
	return &l.LogEstimates, nil
}
