package change

import (
	"context"
	"fmt"
	"iter"
	"math"
	"path/filepath"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are the options of Logs. The zero value compares the run times of two
// logs.
type Options struct {
	// Attributes are the attributes to compare; empty means run times.
	Attributes []fit.Attribute
	// Family is the law whose parameters are compared; "" is uniform-log for run
	// times, else hyper-gamma.
	Family string
	// At, if not empty, divides one log in two: a date, or seconds from the
	// log's start.
	At string
	// Status are the status codes of the jobs to use; empty means all jobs.
	Status []int64
	// Fit contains the options of the law. Its Intervals is the level of the
	// intervals, where 0 means fit.DefaultLevel; its Replicates is that of the
	// bootstrap, where 0 means 499.
	Fit fit.Options

	// Work, if not nil, is called when a long task with size parts begins, to
	// report progress. It returns a function that is called after each part,
	// from any goroutine, and may be nil, and one that is called at the end of
	// the task.
	Work func(label, unit string, size int) (one, end func())
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *Options) Validate() error {
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

// Logs compares two logs, or the time of one before and after a moment,
// attribute by attribute and parameter by parameter. Each log is read once, to
// its end, and not closed; b must be nil if o.At divides a. Memory is bounded:
// a series of at most 2^20 values for each attribute and side.
//
// An option that cannot be used is a *workload.OptionError; a fault of a log is its
// reader's error.
func Logs(ctx context.Context, a, b *workload.Log, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if len(o.Attributes) == 0 {
		o.Attributes = []fit.Attribute{fit.RunTime}
	}
	c := logs{o: o, out: &Result{Schema: Schema}}
	var err error
	if o.At != "" {
		err = c.divide(ctx, a)
	} else {
		err = c.collect(ctx, a, b)
	}
	if err != nil {
		return nil, err
	}
	for i := range o.Attributes {
		if err := c.compare(i); err != nil {
			return nil, err
		}
	}
	return c.out, nil
}

// logs is a comparison of logs under way.
type logs struct {
	o     Options
	names [2]string   // of the log of each side
	sides [2][]Series // of each attribute
	span  string      // when the jobs of a divided log were submitted
	out   *Result
}

// divide gathers the two parts of one log.
func (c *logs) divide(ctx context.Context, log *workload.Log) error {
	clock, _ := log.Header.Clock()
	moment, err := clock.Moment("at", c.o.At)
	if err != nil {
		return err
	}
	c.out.Warnings = append(c.out.Warnings, workload.WarningsAbout(log.Name, log.Header.ClockWarnings())...)
	seen := submitted{first: math.Inf(1), last: math.Inf(-1)}
	parts, err := collectSides(seen.watch(workload.Until(ctx, log.Jobs())), c.o.Attributes,
		SeriesOptions{Label: "before " + c.o.At, Status: c.o.Status, Keep: func(j *workload.Job) bool { return j.Submit < moment }},
		SeriesOptions{Label: "from " + c.o.At, Status: c.o.Status, Keep: func(j *workload.Job) bool { return j.Submit >= moment }})
	if err != nil {
		return err
	}
	c.names, c.sides, c.span = [2]string{log.Name, log.Name}, [2][]Series(parts), seen.text(clock)
	c.warn(log)
	return nil
}

// collect gathers two logs.
func (c *logs) collect(ctx context.Context, a, b *workload.Log) (err error) {
	for i, log := range []*workload.Log{a, b} {
		o := SeriesOptions{Label: filepath.Base(log.Name), Status: c.o.Status}
		c.names[i] = log.Name
		if c.sides[i], err = CollectSeries(workload.Until(ctx, log.Jobs()), c.o.Attributes, o); err != nil {
			return err
		}
		c.warn(log)
	}
	return nil
}

// warn takes the warnings of a log that has been read.
func (c *logs) warn(log *workload.Log) {
	c.out.Warnings = append(c.out.Warnings, workload.WarningsAbout(log.Name, log.Warnings())...)
}

// compare compares one attribute.
func (c *logs) compare(i int) error {
	attribute := c.o.Attributes[i]
	for k := range c.sides {
		if s := c.sides[k][i]; len(s.Values) == 0 {
			return fmt.Errorf("%s: %s has no job with a %s%s", c.names[k], s.Label, attribute, c.span)
		}
	}
	o := CompareOptions{Family: c.o.Family, Fit: c.o.Fit, Level: c.o.Fit.Intervals, Replicates: c.o.Fit.Replicates, Seed: c.o.Fit.Seed}
	o.Fit.Replicates, o.Fit.Intervals = 0, 0
	if c.o.Work != nil {
		var end func()
		o.Fit.Replicated, end = c.o.Work("samples of "+string(attribute), "samples", 2*o.Replicates)
		defer end()
	}
	found, err := Compare(c.sides[0][i], c.sides[1][i], o)
	if err != nil {
		return err
	}
	c.out.Comparisons = append(c.out.Comparisons, found)
	for _, text := range found.Warnings {
		c.out.Warnings = append(c.out.Warnings, workload.Warning{Rule: "comparison", Text: text, Count: 1, About: string(attribute)})
	}
	return nil
}

// submitted is the time from the first to the last submission of a log.
type submitted struct{ first, last float64 }

// watch returns the jobs, and notes when they were submitted.
func (s *submitted) watch(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil && !math.IsNaN(j.Submit) && !math.IsInf(j.Submit, 0) {
				s.first, s.last = min(s.first, j.Submit), max(s.last, j.Submit)
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

// text says when the jobs were submitted, for an error.
func (s *submitted) text(clock workload.Clock) string {
	if s.first > s.last {
		return ""
	}
	text := fmt.Sprintf(": its jobs were submitted from second %s to %s", secondText(s.first), secondText(s.last))
	if clock.Dates(s.first, s.last) {
		const layout = "2006-01-02 15:04:05"
		text += fmt.Sprintf(", %s to %s", clock.At(s.first).Format(layout), clock.At(s.last).Format(layout))
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
