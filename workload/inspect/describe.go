package inspect

import (
	"context"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Describe reads a log once, batch by batch, and gathers the parts of its
// description side by side. Nothing of it depends on how many workers there are.
//
// An option that cannot be used is a *workload.OptionError; a fault of the log is
// its reader's error. The log is read to its end, not closed.
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
	var s slab
	for rec, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return nil, err
		}
		s.fill(workload.NewView(rec))
		par.Each(o.Workers, len(d.parts), func(i int) { d.parts[i].add(&s) })
	}
	out := d.description(o)
	out.of(log)
	return out, nil
}

// describer holds the parts; those that were not asked for are nil.
type describer struct {
	parts      []part
	columns    []*columnPart
	size       *sizePart
	groups     []*groupPart
	status     *codePart
	period     *periodPart
	order      *ordered
	bursts     *bursts
	relation   *relationPart
	arrivals   *arrivalsPart
	load       *loadPart
	sizeGroups *sizeGroupsPart
	by         *byPart
}

func newDescriber(o DescribeOptions, gpus int64, clock workload.Clock, by *workload.Classifier) *describer {
	d := &describer{
		size: &sizePart{}, status: &codePart{status: map[workload.Status]int64{}}, period: newPeriodPart(gpus),
		bursts: newBursts(), relation: &relationPart{},
	}
	// The parts that take longest come first, so that no worker is left with
	// one of them at the end.
	d.order = newOrdered(d.bursts.submitted)
	d.parts = append(d.parts, d.order, d.relation)
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
