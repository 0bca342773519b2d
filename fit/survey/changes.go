package survey

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ChangesOptions say what Changes compares. The zero value compares the run times
// of two logs.
type ChangesOptions struct {
	// Attributes are what is compared; none stands for run times.
	Attributes []fit.Attribute
	// Family is the law whose parameters are compared; "" is uniform-log for run
	// times, else hyper-gamma.
	Family string
	// At divides one log in place of two: a date, or seconds from its start.
	At string
	// Status are the status codes of the jobs that count; none stands for all.
	Status []int64
	// Fit is how the law is fitted. Its Intervals are the level of the intervals, 0
	// for fit.DefaultLevel; its Replicates those of the bootstrap, 0 for 499.
	Fit fit.Options

	// Work is called as a long task of size parts begins: one counts a part, from
	// any goroutine, and may be nil; end ends the task. nil is for none.
	Work func(label, unit string, size int) (one, end func())
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *ChangesOptions) Validate() error {
	for _, a := range o.Attributes {
		if err := a.Validate(); err != nil {
			return err
		}
	}
	family := o.Family
	if family == "" {
		family = "uniform-log"
	}
	return o.Fit.Validate(family)
}

// part is one of the two sides of a comparison.
type part struct {
	open  func() (*workload.Log, error)
	name  string // the log's
	label string
	keep  func(*workload.Job) bool // nil keeps all
}

// Changes compares two logs, or the time of one before and after a moment,
// attribute by attribute and parameter by parameter. open opens a log from its
// beginning, which is read once for each attribute, and closed; the second of them
// is nil where o.At divides the first.
//
// An option that cannot be used is a *workload.OptionError; a fault of a log is its
// reader's error.
func Changes(ctx context.Context, open [2]func() (*workload.Log, error), o ChangesOptions) (*ChangesResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if len(o.Attributes) == 0 {
		o.Attributes = []fit.Attribute{fit.RunTime}
	}
	c := changes{o: o, out: &ChangesResult{Schema: ChangesSchema}}
	if err := c.divide(open); err != nil {
		return nil, err
	}
	for i, attribute := range o.Attributes {
		if err := c.compare(ctx, attribute, i == 0); err != nil {
			return nil, err
		}
	}
	return c.out, nil
}

// changes is one comparison under way.
type changes struct {
	o     ChangesOptions
	parts [2]part
	out   *ChangesResult
}

// divide says what the two sides are.
func (c *changes) divide(open [2]func() (*workload.Log, error)) error {
	for i := range open {
		if c.o.At != "" && i == 1 {
			break
		}
		log, err := open[i]()
		if err != nil {
			return err
		}
		log.Close()
		c.parts[i] = part{open: open[i], name: log.Name, label: filepath.Base(log.Name)}
		if c.o.At == "" {
			continue
		}
		clock, note := log.Header.Clock()
		moment, err := clock.Moment("at", c.o.At)
		if err != nil {
			return err
		}
		if note != "" {
			c.out.Warnings = append(c.out.Warnings, workload.Warning{Rule: "clock", Text: note, Count: 1, About: log.Name})
		}
		before := func(j *workload.Job) bool { return j.Submit < moment }
		from := func(j *workload.Job) bool { return j.Submit >= moment }
		c.parts = [2]part{{open[0], log.Name, "before " + c.o.At, before}, {open[0], log.Name, "from " + c.o.At, from}}
	}
	return nil
}

// compare compares one attribute. Of the first the warnings of the logs are kept.
func (c *changes) compare(ctx context.Context, attribute fit.Attribute, first bool) error {
	var series [2]fit.Series
	for i, p := range c.parts {
		log, err := p.open()
		if err != nil {
			return err
		}
		series[i], err = fit.CollectSeries(workload.Until(ctx, log.Jobs()), attribute, fit.SeriesOptions{Label: p.label, Keep: p.keep, Status: c.o.Status}, nil)
		log.Close()
		if err != nil {
			return err
		}
		if first && (i == 0 || c.o.At == "") {
			for _, w := range log.Warnings() {
				w.About = p.name
				c.out.Warnings = append(c.out.Warnings, w)
			}
		}
	}
	for i, p := range c.parts {
		if len(series[i].Values) == 0 {
			return fmt.Errorf("%s: %s has no job with a %s%s", p.name, p.label, attribute, c.span(ctx))
		}
	}
	o := fit.CompareOptions{Family: c.o.Family, Fit: c.o.Fit, Level: c.o.Fit.Intervals, Replicates: c.o.Fit.Replicates, Seed: c.o.Fit.Seed}
	o.Fit.Replicates, o.Fit.Intervals = 0, 0
	if c.o.Work != nil {
		var end func()
		o.Fit.Replicated, end = c.o.Work("samples of "+string(attribute), "samples", 2*o.Replicates)
		defer end()
	}
	found, err := fit.Compare(series[0], series[1], o)
	if err != nil {
		return err
	}
	c.out.add(found)
	return nil
}

// span says when a log's jobs were submitted, where a moment divides it.
func (c *changes) span(ctx context.Context) string {
	if c.o.At == "" {
		return ""
	}
	log, err := c.parts[0].open()
	if err != nil {
		return ""
	}
	defer log.Close()
	first, last, known, err := fit.SubmitSpan(workload.Until(ctx, log.Jobs()))
	if err != nil || !known {
		return ""
	}
	text := fmt.Sprintf(": its jobs were submitted from second %s to %s", secondText(first), secondText(last))
	if clock, _ := log.Header.Clock(); clock.Dates(first, last) {
		const layout = "2006-01-02 15:04:05"
		text += fmt.Sprintf(", %s to %s", clock.At(first).Format(layout), clock.At(last).Format(layout))
	}
	return text
}

// secondText writes a second of a log.
func secondText(s float64) string {
	if s >= 1e15 || s <= -1e15 {
		return fmt.Sprintf("%.3e", s)
	}
	return fmt.Sprintf("%.0f", s)
}
