package inspect

import (
	"context"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Describe reads a log once and returns its description. The result does not depend on the
// number of workers.
//
// An invalid option is a *workload.OptionError; other errors are those of the log's reader
// or of ctx. The log is read to its end but not closed.
func Describe(ctx context.Context, log *workload.Log, o DescribeOptions) (*Description, error) {
	d, err := NewDescriber(log, o)
	if err != nil {
		return nil, err
	}
	if err := d.Read(ctx, log); err != nil {
		return nil, err
	}
	return d.Describe(log)
}

// Describer gathers the statistics of a description. A log may be read in parts by several
// Describers with the same options; merged in the order of the parts, they give exactly the
// result of one.
type Describer struct {
	o          DescribeOptions `state:"-"`
	parts      []part          `state:"-"`
	columns    []*columnPart
	size       *sizePart
	groups     []*groupPart
	status     *codePart
	period     *periodPart
	order      *ordered
	relation   *relationPart
	arrivals   *arrivalsPart
	load       *loadPart
	sizeGroups *sizeGroupsPart
	by         *byPart
	starts     *startsPart `state:"-"` // nil of merged parts
}

// NewDescriber returns an empty Describer for a log with the header of log. An invalid
// option is a *workload.OptionError.
func NewDescriber(log *workload.Log, o DescribeOptions) (*Describer, error) {
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
	}
	return newDescriber(o, gpus, clock, by), nil
}

// Read adds the jobs of a log, or of the part of it that was opened
// (workload.Options.Share).
func (d *Describer) Read(ctx context.Context, log *workload.Log) error {
	var s slab
	for rec, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return err
		}
		s.fill(workload.NewView(rec))
		par.Each(d.o.Workers, len(d.parts), func(i int) { d.parts[i].add(&s) })
	}
	return nil
}

// Merge adds the statistics of later, which must have the same options and have read the
// part of the log that follows. It returns an error if the log cannot be described in
// parts, for example because it has too many classes for DescribeOptions.By.
func (d *Describer) Merge(later *Describer) error {
	for i, p := range d.columns {
		p.merge(later.columns[i])
	}
	for i, p := range d.groups {
		p.merge(later.groups[i])
	}
	d.size.merge(later.size)
	d.status.merge(later.status)
	d.period.merge(later.period)
	d.relation.merge(later.relation)
	if d.arrivals != nil {
		d.arrivals.merge(later.arrivals)
	}
	if d.load != nil {
		d.load.merge(later.load)
	}
	if d.sizeGroups != nil {
		d.sizeGroups.merge(later.sizeGroups)
	}
	if d.by != nil {
		if err := d.by.merge(later.by); err != nil {
			return err
		}
	}
	d.starts = nil // which has seen a part
	return d.order.merge(later.order)
}

// CheckPart returns the error that Merge would return for d as the statistics of this share
// of a log, whatever the others are.
func (d *Describer) CheckPart(share workload.Share) error {
	if d.by != nil && share.Part > 1 && d.by.rows[byKey{others: true}] != nil {
		return errOthers
	}
	return nil
}

// Describe returns the description of all jobs read. Header and warnings are taken from
// log. The Describer must not be used afterwards.
func (d *Describer) Describe(log *workload.Log) (*Description, error) {
	out := d.description()
	var odd []workload.Warning
	if d.by != nil {
		var err error
		if odd, err = d.by.watch.End(log.Name); err != nil {
			return nil, err
		}
	}
	if d.starts != nil {
		odd = append(odd, d.starts.watch.Warnings()...)
	}
	out.of(log, odd)
	return out, nil
}

// startsPart looks for submissions that are starts.
type startsPart struct{ watch *workload.StartsWatch }

func (p *startsPart) add(s *slab) {
	for i := range s.submit {
		p.watch.Add(s.submit[i], s.wait[i], s.run[i], s.size[i])
	}
}

func newDescriber(o DescribeOptions, gpus int64, clock workload.Clock, by *workload.Classifier) *Describer {
	d := &Describer{
		o: o, order: newOrdered(), size: &sizePart{}, status: &codePart{status: map[workload.Status]int64{}}, period: newPeriodPart(gpus),
		relation: &relationPart{},
	}
	// The parts that take longest come first, so that no worker is left with
	// one of them at the end.
	d.starts = &startsPart{workload.NewStartsWatch(o.Processors)}
	d.parts = append(d.parts, d.order, d.relation, d.starts)
	if o.By != "" {
		d.by = newByPart(by)
		d.parts = append(d.parts, d.by)
	}
	if o.SizeGroups {
		d.sizeGroups = newSizeGroupsPart()
		d.parts = append(d.parts, d.sizeGroups)
	}
	if o.Arrivals {
		d.arrivals = newArrivalsPart(clock)
		d.parts = append(d.parts, d.arrivals)
	}
	if o.Interval > 0 {
		d.load = newLoadPart(o.Interval, clock)
		d.parts = append(d.parts, d.load)
	}
	columns := workload.Columns()
	for _, at := range measured {
		p := &columnPart{at: at, described: columns[at]}
		d.columns = append(d.columns, p)
		d.parts = append(d.parts, p)
	}
	for _, at := range grouped {
		p := &groupPart{at: at}
		d.groups = append(d.groups, p)
		d.parts = append(d.parts, p)
	}
	d.parts = append(d.parts, d.size, d.status, d.period)
	return d
}
