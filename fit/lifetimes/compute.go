package lifetimes

import (
	"cmp"
	"context"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ComputeOptions are the options of Compute. The zero value is one class of all jobs.
type ComputeOptions struct {
	Status []int64 `opt:"status" group:"Classes" help:"only jobs with these status codes, such as 1 for completed"` // empty keeps every job
	// Classes are words of workload.ParseClasses; Named is the meaning of the
	// word "class".
	Classes []string              `opt:"by" classes:"any" group:"Classes" common:"true" help:"classes by at most four columns"`
	Named   []workload.NamedClass `opt:"class"`

	// Months is the length of periods; 0 for none.
	Months int `opt:"months" in:"0|1|2|3|4|6|12" common:"true" help:"print the drift over periods of 1, 2, 3, 4, 6 or 12 months"`
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
	return o.Fit.Validate(cmp.Or(o.Family, "uniform-log"))
}

// Choices returns the allowed values of an option that has a fixed set of values.
func (o *ComputeOptions) Choices(option string) []string {
	if option == "family" {
		return fit.Families()
	}
	return nil
}

// Schema names the JSON form of Result and its version.
const Schema = "loadstone.lifetimes/1"

// Result is the result of Compute.
type Result struct {
	Schema   string             `json:"schema"`
	Log      string             `json:"log"`
	Family   string             `json:"family"`
	Classes  []ClassLifetimes   `json:"classes"`
	Overlap  Overlap            `json:"overlap"`
	Drift    []ClassDrift       `json:"drift,omitempty"` // nil without periods
	Warnings []workload.Warning `json:"warnings,omitempty"`
}

// ClassLifetimes contains the law of one class and the remaining lifetimes of
// its jobs.
type ClassLifetimes struct {
	Label     string      `json:"class"`
	Jobs      int64       `json:"jobs"` // number of jobs with a positive run time
	Fitted                // its Class, Report and Why
	Remaining []Remaining `json:"remaining" row:"each"` // empty if the class is not fitted
}

// At returns the remaining lifetime at one of the ages in Remaining, in
// seconds; its fields are NaN for other ages.
func (c ClassLifetimes) At(age float64) Remaining {
	for _, r := range c.Remaining {
		if float64(r.Age) == age {
			return r
		}
	}
	return Remaining{MedianData: unknown, MedianModel: unknown, MeanData: unknown, MeanModel: unknown}
}

// Compute fits the run times of a log class by class, and computes how much the
// classes overlap, the remaining lifetimes of jobs by age, and how the laws
// drift from period to period. open opens the log, which is read once
// and closed.
//
// An option that cannot be used is a *workload.OptionError; a fault in the log is the error of
// its reader.
func Compute(ctx context.Context, open func() (*workload.Log, error), o ComputeOptions) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	out := &Result{Schema: Schema, Family: cmp.Or(o.Family, "uniform-log")}
	_, err := workload.WithLog(open, func(log *workload.Log) error {
		classes, periods, err := out.collect(ctx, log, o)
		if err != nil {
			return err
		}
		return out.fit(classes, periods, o)
	})
	return out, err
}

// collect collects the classes of a log and, if Months is set, those of its periods.
func (r *Result) collect(ctx context.Context, log *workload.Log, o ComputeOptions) (classes, periods []Class, err error) {
	r.Log = log.Name
	clock, _ := log.Header.Clock()
	var over *workload.Division
	if o.Months > 0 {
		months, fault := workload.Months(clock, o.Months)
		over, err = &months, fault
	}
	if err != nil {
		return nil, nil, err
	}
	by, err := workload.ParseClasses(o.Classes, opt.Grouping(&o, "by", &log.Header))
	if err != nil {
		return nil, nil, err
	}
	var collectors [2]*Collector // for the whole log, and by period
	for i, over := range []*workload.Division{nil, over} {
		if collectors[i], err = NewCollector(Options{by, over, o.Status}); err != nil {
			return nil, nil, err
		}
	}
	log.WatchClasses(collectors[0].by, false)
	for j, err := range workload.Until(ctx, log.Jobs()) {
		if err != nil {
			return nil, nil, err
		}
		collectors[0].Add(&j)
		if over != nil {
			collectors[1].Add(&j)
		}
	}
	r.Warnings = append(r.Warnings, log.Warnings()...)
	classes, left := collectors[0].Classes()
	periods, more := collectors[1].Classes()
	for _, text := range append(left, more...) {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "left-out", Text: text, Count: 1})
	}
	if o.Months > 0 {
		r.Warnings = append(r.Warnings, log.Header.ClockWarnings()...)
	}
	return classes, periods, nil
}

// fit fits the classes of the whole log and those of the periods.
func (r *Result) fit(classes, periods []Class, o ComputeOptions) error {
	if o.Fit.Replicates > 0 && o.Work != nil {
		var end func()
		o.Fit.Replicated, end = o.Work(r.Family+" of each class", "replicates", len(classes)*o.Fit.Replicates)
		defer end()
	}
	fits, err := Fit(classes, r.Family, o.Fit, o.LeastJobs)
	if err != nil {
		return err
	}
	for _, f := range fits {
		c := ClassLifetimes{Label: f.Class.Label, Jobs: f.Class.Sample.Jobs(), Fitted: f, Remaining: []Remaining{}}
		if f.Report != nil {
			law, _ := f.Report.AttributeLaw()
			if c.Remaining, err = RemainingAt(law, f.Class.Sample, TableAges(f.Class.Sample)); err != nil {
				return err
			}
		}
		r.Classes = append(r.Classes, c)
	}
	r.Overlap = NewOverlap(classes, o.LeastJobs)
	if periods != nil {
		r.Drift, err = Drift(periods, o.Fit, o.LeastJobs)
	}
	return err
}

// Overlap describes the overlap of classes as in Downey (1997), section 3.1: "30 % of the jobs
// from the short queue run longer than the median of the medium queue". Longer has a row for each
// class whose jobs are counted and a column for each class with whose median they are compared.
type Overlap struct {
	Labels  []string         `json:"classes"`
	Medians []stats.Number   `json:"medians_s"` // of the jobs' run times
	Longer  [][]stats.Number `json:"longer"`    // shares of the row's jobs that run longer than the column's median
}

// NewOverlap compares each class with the median of each. Classes with fewer
// than minJobs jobs with a positive run time (0 means 100) are left out, because
// their median is too uncertain.
func NewOverlap(classes []Class, minJobs int64) Overlap {
	if minJobs <= 0 {
		minJobs = fit.DefaultMinJobs
	}
	o := Overlap{Medians: []stats.Number{}}
	var kept []tail
	for _, c := range classes {
		if c.Sample.Jobs() >= minJobs {
			o.Labels = append(o.Labels, c.name())
			o.Medians = append(o.Medians, stats.Number(stats.MedianOfCounts(c.Sample.Values, c.Sample.Counts)))
			kept = append(kept, newTail(c.Sample))
		}
	}
	for _, t := range kept {
		longer := make([]stats.Number, len(kept))
		for j, median := range o.Medians {
			longer[j] = stats.Number(t.jobs[t.above(float64(median))] / t.jobs[0])
		}
		o.Longer = append(o.Longer, longer)
	}
	return o
}
