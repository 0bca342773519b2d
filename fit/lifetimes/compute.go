package lifetimes

import (
	"context"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ComputeOptions are the options of Compute. Over is ignored: it follows from
// Months or Periods.
type ComputeOptions struct {
	Options
	// Classes are words of workload.ParseClasses, which replace By if there
	// are any; Named is the meaning of the word "class".
	Classes []string              `opt:"by" group:"Classes" common:"true" help:"classes by at most four columns"`
	Named   []workload.NamedClass `opt:"class"`

	// Months is the length of periods, and Periods the number of equal periods; 0 for no
	// such periods.
	Months  int `opt:"months" in:"0|1|2|3|4|6|12" common:"true" help:"print the drift over periods of 1, 2, 3, 4, 6 or 12 months"`
	Periods int `opt:"periods" in:"0|[1,1000]" not:"months" common:"true" help:"print the drift over this many periods of equal length"`
	// LeastJobs is the smallest number of jobs for which a class is fitted; 0 means
	// fit.DefaultMinJobs.
	LeastJobs int64       `opt:"least-jobs" in:"[2,)" usual:"100" help:"smallest number of jobs in a class that is fitted"`
	Family    string      `opt:"family" default:"uniform-log" group:"The distribution of a class" common:"true" help:"family of distributions" brief:"family of distributions, such as hyper-gamma"`
	Fit       fit.Options `without:"tests subsamples"`

	// Work, if not nil, is called when a long task with size parts begins, to
	// report progress. It returns a function that is called after each part,
	// from any goroutine, and may be nil, and one that is called at the end of
	// the task.
	Work func(label, unit string, size int) (one, end func())
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *ComputeOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	if _, err := o.by(nil); err != nil {
		return workload.OptionNamed("by", err)
	}
	if _, err := NewCollector(o.Options); err != nil {
		return err
	}
	return o.Fit.Validate(o.family())
}

// Choices are the values of options that take one of some.
func (o *ComputeOptions) Choices(option string) []string {
	if option == "family" {
		return fit.Families()
	}
	return nil
}

// Grouping is that of ways to sort jobs.
func (o *ComputeOptions) Grouping(option string) *workload.Grouping {
	if option == "by" {
		return new(workload.Grouping)
	}
	return nil
}

// by is By, or what Classes say for a log with that header.
func (o *ComputeOptions) by(h *workload.Header) ([]workload.ClassColumn, error) {
	if len(o.Classes) == 0 {
		return o.By, nil
	}
	return workload.ParseClasses(o.Classes, workload.Grouping{Named: o.Named, Header: h})
}

func (o *ComputeOptions) family() string {
	if o.Family == "" {
		return "uniform-log"
	}
	return o.Family
}

// Compute fits the run times of a log class by class, and computes how much the
// classes overlap, the remaining lifetimes of jobs by age, and how the laws
// drift from period to period. open opens the log from its beginning: it is
// read once, and twice for equal periods, and closed.
//
// An option that cannot be used is a *workload.OptionError; a fault of the log is
// its reader's error.
func Compute(ctx context.Context, open func() (*workload.Log, error), o ComputeOptions) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var first, last float64
	if o.Periods > 0 {
		_, err := workload.WithLog(open, func(log *workload.Log) (err error) {
			first, last, _, err = workload.SubmitSpan(workload.Until(ctx, log.Jobs()))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	var out *Result
	_, err := workload.WithLog(open, func(log *workload.Log) error {
		g, err := newGathered(log, o, first, last)
		if err != nil {
			return err
		}
		if err := g.read(ctx, log); err != nil {
			return err
		}
		out, err = g.result(log)
		return err
	})
	return out, err
}

// division is what divides the log's time, nil for nothing.
func (o *ComputeOptions) division(h *workload.Header, first, last float64) (over *workload.Division, err error) {
	var d workload.Division
	switch {
	case o.Months > 0:
		clock, _ := h.Clock()
		d, err = workload.Months(clock, o.Months)
	case o.Periods > 0:
		d, err = workload.Parts(first, last, o.Periods)
	default:
		return nil, nil
	}
	return &d, err
}
