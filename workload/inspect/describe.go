package inspect

import (
	"context"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// DescribeOptions selects the optional parts of a description. The zero value selects none.
type DescribeOptions struct {
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`

	// By is a comma-separated list of columns, ranges and parts of the calendar, as read by
	// workload.ParseClasses; "" for no breakdown. Each value of a column without ranges is a class
	// of its own.
	By    string                `opt:"by" classes:"each measured" common:"true" help:"summarise the jobs of each class, or by month, week, day, weekday or hour"`
	Named []workload.NamedClass `opt:"class"` // the classes that the word "class" in By stands for
	// Also are further breakdowns, in the form of By but without Others. If no job has a value in
	// the columns of one, it has a single class. Memory grows with the number of values.
	Also []string

	Workers int // goroutines; 0 means one per core
}

// Validate returns a *workload.OptionError for the first invalid option.
func (o *DescribeOptions) Validate() error { return opt.Check(o) }

// Describe reads a log once and returns its description. The result does not depend on the
// number of workers.
//
// An invalid option is a *workload.OptionError; other errors are those of the log's reader
// or of ctx. The log is read to its end but not closed.
func Describe(ctx context.Context, log *workload.Log, o DescribeOptions) (*Description, error) {
	return describe(ctx, log, o, usualLimits)
}

// limits bounds the memory of a description.
type limits struct {
	// values of a breakdown with a row of their own; in Also, with statistics in a large log
	values int
	// jobs whose run times, sizes and waits are kept for exact quantiles; in longer logs every
	// value has sketches
	exact    int
	distinct int // identifiers counted exactly; 0 means the default number
}

var usualLimits = limits{values: 4096, exact: 1 << 21}

func describe(ctx context.Context, log *workload.Log, o DescribeOptions, most limits) (*Description, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Processors == 0 {
		o.Processors, _ = log.Header.Processors()
	}
	gpus := int64(0)
	if o.Processors == 0 {
		gpus, _ = log.Header.Int(workload.MaxGPUs)
	}
	d := &Description{Schema: DescriptionSchema, Columns: map[string]Column{}, Groups: map[string]Group{}}
	d.Log.Processors = workload.Positive(o.Processors)

	// The slowest measures come first, so that no worker is left with one of them at the end. They
	// write their results in reverse order.
	measures := []measure{starts(o.Processors)}
	add := func(by string, each bool) (*Breakdown, error) {
		classes, err := opt.Grouping(&o, "by", &log.Header).ClassesBy(by)
		if err != nil {
			return nil, err
		}
		if !each {
			log.WatchClasses(classes, false)
		}
		b := &Breakdown{Column: by}
		measures = append(measures, breakdown(b, classes, &log.Header, most, each))
		return b, nil
	}
	for _, by := range o.Also {
		b, err := add(by, true)
		if err != nil {
			return nil, err
		}
		d.Also = append(d.Also, b)
	}
	if o.By != "" {
		var err error
		if d.By, err = add(o.By, false); err != nil {
			return nil, err
		}
	}
	for _, at := range measured {
		measures = append(measures, column(at))
	}
	for _, at := range grouped {
		measures = append(measures, group(at, most))
	}
	measures = append(measures, overTime(), sizes(), statuses(), period(gpus))

	for b, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return nil, err
		}
		par.Each(o.Workers, len(measures), func(i int) { measures[i].add(b) })
	}
	for _, m := range slices.Backward(measures) {
		m.into(d)
	}
	d.Users, d.Sites = workload.Positive(d.Groups["user_id"].Distinct), workload.Positive(d.Groups["partition_id"].Distinct)
	d.header(log)
	return d, nil
}

// measure accumulates one part of a description and adds it to the description at the end. Measures
// receive the same batches in the same order and share nothing, so that they can run concurrently
// and the result does not depend on the number of workers.
type measure struct {
	add  func(*workload.Batch)
	into func(*Description)
}

// starts detects logs whose submissions are in fact the jobs' starts.
func starts(processors int64) measure {
	watch := workload.NewStartsWatch(processors)
	return measure{func(b *workload.Batch) {
		for i := range b.Rows {
			watch.Add(submitOf(b, i), b.Float(workload.ColWaitTime, i), b.Float(workload.ColRunTime, i), b.Size(i))
		}
	}, func(d *Description) { d.Warnings = append(d.Warnings, watch.Warnings()...) }}
}

// latestTime is the largest time that is accepted, in seconds: 32 million years. Arithmetic with
// intervals fails for larger ones.
const latestTime = 1e15

// submitOf returns the submission of row i, NaN if it is unknown or beyond latestTime.
func submitOf(b *workload.Batch, i int) float64 {
	if x := b.Float(workload.ColSubmitTime, i); math.Abs(x) <= latestTime {
		return x
	}
	return math.NaN()
}

// workOf returns a job's processor seconds, or GPU seconds; 0 if its size or run time is unknown.
func workOf(size int64, run float64) float64 {
	if size == workload.Unknown || !(run > 0) {
		return 0
	}
	return float64(size) * run
}
