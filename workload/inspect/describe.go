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

	Arrivals bool    // by hour and weekday, on the site's clock as the header gives it
	Interval float64 // s, length of the intervals of the load over time; 0 for none
	// By is a comma-separated list of columns and ranges as workload.ParseClasses reads it;
	// "" for no breakdown. Each value of a column without ranges is a class of its own.
	By    string                `opt:"by" common:"true" help:"summarise the jobs of each class, or by month"`
	Named []workload.NamedClass `opt:"class"` // the classes that the word "class" in By stands for

	Workers int // goroutines; 0 means one per core
}

// byWords is the grouping with which DescribeOptions.By is parsed.
var byWords = workload.Grouping{Each: true, Measured: true}

// Grouping is that of ways to sort jobs.
func (o *DescribeOptions) Grouping(option string) *workload.Grouping {
	if option == "by" {
		return &byWords
	}
	return nil
}

// classes are those of By; a nil header is for a check before there is a log.
func (o *DescribeOptions) classes(h *workload.Header) (*workload.Classifier, error) {
	g := byWords
	g.Named, g.Header = o.Named, h
	c, err := workload.ClassesOf(workload.SplitClasses(o.By), g)
	return c, workload.OptionNamed("by", err)
}

// Validate returns a *workload.OptionError for the first invalid option.
func (o *DescribeOptions) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	switch {
	case !(o.Interval >= 0) || math.IsInf(o.Interval, 0):
		return workload.OptionFault("interval", o.Interval, "a number of seconds above 0, or 0 for no load over time")
	case o.By != "":
		_, err := o.classes(nil)
		return err
	}
	return nil
}

// Describe reads a log once and returns its description. The result does not depend on the
// number of workers.
//
// An invalid option is a *workload.OptionError; other errors are those of the log's reader
// or of ctx. The log is read to its end but not closed.
func Describe(ctx context.Context, log *workload.Log, o DescribeOptions) (*Description, error) {
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
	clock, _ := log.Header.Clock()
	var by *workload.Classifier
	if o.By != "" {
		var err error
		if by, err = o.classes(&log.Header); err != nil {
			return nil, err
		}
		log.WatchClasses(by, false)
	}
	d := newDescriber(o, gpus, clock, by)
	if err := d.read(workload.Until(ctx, log.Batches())); err != nil {
		return nil, err
	}
	out := d.description()
	out.of(log, d.starts.Warnings())
	return out, nil
}

// part gathers one part of a description, and writes it there at the end. Parts see the same slabs
// in the same order and share nothing, so that they run side by side and the result does
// not depend on how many do.
type part interface {
	add(s *slab)
	into(d *Description)
}

// describer gathers the statistics of a description.
type describer struct {
	o      DescribeOptions
	parts  []part
	starts *workload.StartsWatch
}

// newDescriber has the parts that take longest first, so that no worker is left with
// one of them at the end. They write their results from the last to the first.
func newDescriber(o DescribeOptions, gpus int64, clock workload.Clock, by *workload.Classifier) *describer {
	d := &describer{o: o, starts: workload.NewStartsWatch(o.Processors)}
	d.parts = []part{newOrdered(), &relationPart{}, startsPart{d.starts}}
	if by != nil {
		d.parts = append(d.parts, newByPart(by, o))
	}
	if o.Arrivals {
		d.parts = append(d.parts, newArrivalsPart(clock))
	}
	if o.Interval > 0 {
		d.parts = append(d.parts, newLoadPart(o.Interval, clock))
	}
	for _, at := range measured {
		d.parts = append(d.parts, &columnPart{at: at})
	}
	for _, at := range grouped {
		d.parts = append(d.parts, &groupPart{at: at})
	}
	d.parts = append(d.parts, &sizePart{}, &codePart{status: map[workload.Status]int64{}}, newPeriodPart(gpus))
	return d
}

// read adds the jobs of a log.
func (d *describer) read(batches workload.BatchSeq) error {
	var s slab
	for rec, err := range batches {
		if err != nil {
			return err
		}
		s.fill(rec)
		par.Each(d.o.Workers, len(d.parts), func(i int) { d.parts[i].add(&s) })
	}
	return nil
}

// description combines the results of the parts.
func (d *describer) description() *Description {
	out := &Description{Schema: DescriptionSchema, Columns: map[string]Column{}, Groups: map[string]Group{}}
	out.Log.Processors = workload.Positive(d.o.Processors)
	for _, p := range slices.Backward(d.parts) {
		p.into(out)
	}
	out.Users, out.Sites = workload.Positive(out.Groups["user_id"].Distinct), workload.Positive(out.Groups["partition_id"].Distinct)
	return out
}

// described reports whether a column is described: an optional one only where some job has it.
func described(at int, known int64) bool { return at < workload.FirstOptional || known > 0 }

// startsPart looks for submissions that are starts.
type startsPart struct{ watch *workload.StartsWatch }

func (p startsPart) add(s *slab) {
	for i := range s.submit {
		p.watch.Add(s.submit[i], s.wait[i], s.run[i], s.size[i])
	}
}

func (startsPart) into(*Description) {}

// slab is one batch, with the columns that several parts of a description need
// as plain slices. It is read by all parts at once and changed by none.
type slab struct {
	*workload.Batch
	submit, wait, run []float64 // NaN where unknown; submit also where it is beyond latestTime
	size, user        []int64   // size as workload.Request.Size
}

// latestTime bounds what can be a time: 32 million years. Beyond it the
// arithmetic of intervals breaks down.
const latestTime = 1e15

// fill loads another batch into the slab's memory.
func (s *slab) fill(b *workload.Batch) {
	n := b.Rows
	s.Batch = b
	s.submit, s.wait, s.run = resized(s.submit, n), resized(s.wait, n), resized(s.run, n)
	s.size, s.user = resized(s.size, n), resized(s.user, n)
	for i := range n {
		s.submit[i] = b.Float(workload.ColSubmitTime, i)
		if math.Abs(s.submit[i]) > latestTime {
			s.submit[i] = math.NaN()
		}
		s.wait[i] = b.Float(workload.ColWaitTime, i)
		s.run[i] = b.Float(workload.ColRunTime, i)
		s.user[i] = b.Int(workload.ColUser, i)
		s.size[i] = b.Size(i)
	}
}

func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
