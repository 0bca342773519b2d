package inspect

import (
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// DescribeOptions say what a description holds beside what every one does.
type DescribeOptions struct {
	Processors int64          // of the machine; 0 where it is not known
	Clock      workload.Clock // of the site, for Arrivals

	Arrivals     bool
	Interval     float64 // s, of the load over time; 0 for none
	SizeGroups   bool
	Stationarity bool
	By           string // a column of the table, "" for none

	Workers int // goroutines that gather; 0 is one a core
}

// Description is what a job table holds.
type Description struct {
	Jobs        int64
	Columns     []Column
	Groups      []Group
	Status      map[int64]int64 // jobs by status code; workload.Unknown where there is none
	FirstSubmit float64         // s; NaN where no submission is known
	LastSubmit  float64         // s
	LastEnd     float64         // s, of the jobs whose run time is known; an unknown wait counts as none
	Processors  int64           // of the machine; 0 where the header does not say
	Work        float64         // processor seconds, over jobs with known size and run time
	// OfferedLoad is Work over what the machine could do from the first to the
	// last submission; NaN where the machine or the span is unknown.
	OfferedLoad float64
	// Serial is the share of jobs of one processor, PowerOfTwo that of sizes 2,
	// 4, 8, ... among the others, NaN where there are none; of the jobs whose
	// size is known.
	Serial     float64
	PowerOfTwo float64
	Known      []Known // every column of the table, in its order
	Bursts     Bursts
	Relation   SizeAndRunTime

	// What was asked for, nil else.
	Arrivals   *Arrivals
	Load       *LoadOverTime
	SizeGroups []SizeGroup
	Series     []RunTimeSeries // the busiest classes of each kind
	By         *Breakdown
}

// Known is in how many jobs a column is known.
type Known struct {
	Name string
	Jobs int64
}

// Describe reads a table once, batch by batch, and gathers its parts side by
// side. Nothing of it depends on how many workers there are.
func Describe(batches workload.BatchSeq, o DescribeOptions) (Description, error) {
	d := newDescriber(o)
	var s slab
	for rec, err := range batches {
		if err != nil {
			return Description{}, err
		}
		s.fill(workload.NewView(rec))
		par.Each(o.Workers, len(d.parts), func(i int) { d.parts[i].add(&s) })
	}
	return d.description(o), nil
}

// describer holds the parts; those that were not asked for are nil.
type describer struct {
	parts        []part
	columns      []*columnPart
	size         *sizePart
	groups       []*groupPart
	status       *codePart
	period       *periodPart
	order        *ordered
	bursts       *bursts
	relation     *relationPart
	arrivals     *arrivalsPart
	load         *loadPart
	sizeGroups   *sizeGroupsPart
	stationarity *stationarity
	by           *byPart
}

func newDescriber(o DescribeOptions) *describer {
	d := &describer{
		size: &sizePart{}, status: &codePart{status: map[int64]int64{}}, period: newPeriodPart(),
		order: newOrdered(), bursts: newBursts(), relation: &relationPart{},
	}
	// The parts that take longest come first, so that no worker is left with
	// one of them at the end.
	d.order.to = append(d.order.to, d.bursts.submitted)
	if o.Stationarity {
		d.stationarity = newStationarity()
		d.order.to = append(d.order.to, d.stationarity.submitted)
	}
	d.parts = append(d.parts, d.order, d.relation)
	if o.By != "" {
		at := workload.ColumnIndex(o.By)
		if at < 0 {
			panic("inspect: Describe by " + o.By + ", which is no column")
		}
		d.by = newByPart(at)
		d.parts = append(d.parts, d.by)
	}
	if o.SizeGroups {
		d.sizeGroups = newSizeGroupsPart()
		d.parts = append(d.parts, d.sizeGroups)
	}
	if o.Arrivals {
		d.arrivals = newArrivalsPart(o.Clock)
		d.parts = append(d.parts, d.arrivals)
	}
	if o.Interval > 0 {
		d.load = newLoadPart(o.Interval)
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

func (d *describer) description(o DescribeOptions) Description {
	d.order.finish()
	out := Description{Jobs: d.status.jobs, Status: d.status.status, Processors: o.Processors}
	d.period.into(&out)
	out.Serial, out.PowerOfTwo = d.size.shares()
	columns := workload.Columns()
	byColumn := [workload.NumColumns]int64{
		workload.ColJobID:  d.status.numbered,
		workload.ColStatus: d.status.jobs - d.status.status[workload.Unknown],
	}
	for _, p := range d.columns {
		c := p.column(p.described.Name, p.described.Unit)
		out.Columns = append(out.Columns, c)
		byColumn[p.at] = c.Known
	}
	out.Columns = append(out.Columns, d.size.column("size_processors", "processors"))
	for _, p := range d.groups {
		out.Groups = append(out.Groups, Group{columns[p.at].Name, p.known, p.values.Count(), p.values.Method()})
		byColumn[p.at] = p.known
	}
	for at, n := range byColumn {
		out.Known = append(out.Known, Known{columns[at].Name, n})
	}
	out.Bursts = d.bursts.found(d.order)
	out.Relation = d.relation.found()
	if d.arrivals != nil {
		out.Arrivals = d.arrivals.found()
	}
	if d.load != nil {
		out.Load = d.load.found(d.period.first, d.period.last, o.Processors)
	}
	if d.sizeGroups != nil {
		out.SizeGroups = d.sizeGroups.found()
	}
	if d.stationarity != nil {
		out.Series = d.stationarity.found()
	}
	if d.by != nil {
		out.By = d.by.found(&out)
	}
	return out
}

// Months is the period of submissions in months of a twelfth of 365.25 days;
// NaN where no submission is known.
func (d Description) Months() float64 { return (d.LastSubmit - d.FirstSubmit) / secondsInMonth }

const secondsInMonth = 365.25 * 86400 / 12

// Parallel is the share of jobs of more than one processor, of those whose size
// is known: Sonmez and others (2009), table 1.
func (d Description) Parallel() float64 { return 1 - d.Serial }

// Distinct is how many different values of an identifier occur, 0 where none is
// known.
func (d Description) Distinct(column string) int64 {
	for _, g := range d.Groups {
		if g.Name == column {
			return g.Distinct
		}
	}
	return 0
}
