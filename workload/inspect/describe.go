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
	d := newDescriber(o, gpus, clock, by)
	if err := d.read(workload.Until(ctx, log.Batches())); err != nil {
		return nil, err
	}
	out := d.description()
	var odd []workload.Warning
	if d.by != nil {
		var err error
		if odd, err = d.by.watch.End(log.Name); err != nil {
			return nil, err
		}
	}
	out.of(log, append(odd, d.starts.watch.Warnings()...))
	return out, nil
}

// describer gathers the statistics of a description.
type describer struct {
	o          DescribeOptions
	parts      []part
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
	starts     *startsPart
}

// read adds the jobs of a log.
func (d *describer) read(batches workload.BatchSeq) error {
	var s slab
	for rec, err := range batches {
		if err != nil {
			return err
		}
		s.fill(workload.NewView(rec))
		par.Each(d.o.Workers, len(d.parts), func(i int) { d.parts[i].add(&s) })
	}
	return nil
}

// startsPart looks for submissions that are starts.
type startsPart struct{ watch *workload.StartsWatch }

func (p *startsPart) add(s *slab) {
	for i := range s.submit {
		p.watch.Add(s.submit[i], s.wait[i], s.run[i], s.size[i])
	}
}

func newDescriber(o DescribeOptions, gpus int64, clock workload.Clock, by *workload.Classifier) *describer {
	d := &describer{
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
