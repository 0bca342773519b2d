package inspect

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Column summarises one measured column over the jobs for which it is known. Statistics of
// an empty column are NaN.
type Column struct {
	Unit     string       `json:"unit" show:"unit" row:"alone"`
	Known    int64        `json:"known" show:"known" row:"alone"` // jobs in which it is known
	KnownPct stats.Number `json:"known_pct" row:"alone"`
	// Negative counts known values below 0, which no time or size can be. The statistics
	// below exclude them.
	Negative int64        `json:"negative" row:"alone"`
	Mean     stats.Number `json:"mean" show:"mean"`         // in Unit, like the quantiles
	CV       stats.Number `json:"cv" show:"cv" row:"alone"` // coefficient of variation: standard deviation over mean
	Q25      stats.Number `json:"q25" show:"q25" narrow:"1"`
	Median   stats.Number `json:"median" show:"median"`
	Q75      stats.Number `json:"q75" show:"q75" narrow:"1"`
	Min      stats.Number `json:"min" show:"min" row:"alone"`
	Max      stats.Number `json:"max" show:"max" row:"alone"`
	Method   string       `json:"quantiles" row:"alone"` // how the quantiles were computed: "exact", or the error bound of a sketch
}

// sizeColumn is derived: the processors allocated, else those asked for.
const sizeColumn = "size_processors"

// Measured returns the names of the columns that Description.Columns may have, in the order
// of the job table, followed by "size_processors": the processors allocated or, if unknown,
// requested.
func Measured() []string { return append(workload.ColumnNames(measured), sizeColumn) }

// Identifiers returns the names of the columns that Description.Groups may have, in the
// order of the job table.
func Identifiers() []string { return workload.ColumnNames(grouped) }

// measured are the columns that are summarised.
var measured = workload.ColumnsOf(workload.Measured, workload.Amount)

// summary gathers one measured column.
type summary struct {
	negative  int64
	moments   stats.ExactMoments
	quantiles stats.Quantiles
}

func (s *summary) observe(x float64) {
	if x < 0 {
		s.negative++
		return
	}
	s.moments.Add(x)
	s.quantiles.Add(x)
}

func (s *summary) column(unit string, jobs int64) Column {
	known := int64(s.moments.N()) + s.negative
	quantile := func(p float64) stats.Number { return stats.Number(s.quantiles.Quantile(p)) }
	return Column{
		Unit: unit, Known: known, KnownPct: percent(known, jobs), Negative: s.negative, Method: s.quantiles.Method(),
		Mean: stats.Number(s.moments.Mean()), CV: stats.Number(s.moments.CV()),
		Q25: quantile(0.25), Median: quantile(0.5), Q75: quantile(0.75),
		Min: stats.Number(s.quantiles.Min()), Max: stats.Number(s.quantiles.Max()),
	}
}

// columnPart summarises a column of the table.
type columnPart struct {
	summary
	at        int
	described *workload.Column
}

func (p *columnPart) add(s *slab) {
	if s.Floats[p.at] == nil && s.Ints[p.at] == nil {
		return
	}
	if p.described.Float() {
		for i := range s.Rows {
			if x := s.Float(p.at, i); !math.IsNaN(x) {
				p.observe(x)
			}
		}
	} else {
		for i := range s.Rows {
			if n := s.Int(p.at, i); n != workload.Unknown {
				p.observe(float64(n))
			}
		}
	}
}

func (p *columnPart) into(d *Description) {
	if c := p.column(p.described.Unit, d.Jobs); d.shows(p.at, c.Known) {
		d.Columns[p.described.Name] = c
	}
}

// sizePart summarises the sizes of the jobs.
type sizePart struct {
	summary
	serial, powers int64
}

func (p *sizePart) add(s *slab) {
	for _, n := range s.size {
		if n == workload.Unknown {
			continue
		}
		p.observe(float64(n))
		if n == 1 {
			p.serial++
		} else if n&(n-1) == 0 {
			p.powers++
		}
	}
}

// into has the shares of the serial jobs, and of powers of two among the others.
func (p *sizePart) into(d *Description) {
	d.Columns[sizeColumn] = p.column("processors", d.Jobs)
	serial, powers := math.NaN(), math.NaN()
	if n := float64(p.moments.N()); n > 0 {
		serial = float64(p.serial) / n
		if parallel := n - float64(p.serial); parallel > 0 {
			powers = float64(p.powers) / parallel
		}
	}
	d.Serial, d.Parallel, d.PowerOfTwo = stats.Share(serial), stats.Share(1-serial), stats.Share(powers)
}

// Group counts the distinct values of an identifier.
type Group struct {
	Known    int64  `json:"known"` // jobs with a known value
	Distinct int64  `json:"distinct"`
	Method   string `json:"method"` // "exact", or the standard error of an estimate
}

// grouped are the identifiers and codes whose values are counted.
var grouped = slices.Sorted(slices.Values(append(workload.ColumnsOf(workload.Identifier), workload.ColPrecedingJob, workload.ColArray)))

// groupPart counts the values of one identifier.
type groupPart struct {
	at     int
	known  int64
	values stats.Cardinality
}

func (p *groupPart) add(s *slab) {
	if s.Floats[p.at] == nil && s.Ints[p.at] == nil {
		return
	}
	for i := range s.Rows {
		n := s.Int(p.at, i)
		if n == workload.Unknown {
			continue
		}
		p.known++
		p.values.Add(n)
	}
}

func (p *groupPart) into(d *Description) {
	if d.shows(p.at, p.known) {
		d.Groups[workload.ColumnAt(p.at).Name] = Group{p.known, p.values.Count(), p.values.Method()}
	}
}

// codePart counts jobs by status, and those with a number.
type codePart struct {
	jobs, numbered int64
	status         map[workload.Status]int64
}

func (p *codePart) add(s *slab) {
	p.jobs += int64(s.Rows)
	last, run := workload.Unknown, int64(0)
	for i := range s.Rows {
		if s.Int(workload.ColJobID, i) != workload.Unknown {
			p.numbered++
		}
		if code := s.Int(workload.ColStatus, i); code != last {
			if run > 0 {
				p.status[workload.Status(last)] += run
			}
			last, run = code, 0
		}
		run++
	}
	if run > 0 {
		p.status[workload.Status(last)] += run
	}
}

func (p *codePart) into(d *Description) {
	d.Jobs, d.Status = p.jobs, p.status
	d.shows(workload.ColJobID, p.numbered)
	d.shows(workload.ColStatus, p.jobs-p.status[workload.Status(workload.Unknown)])
}
