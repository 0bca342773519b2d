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
	negative int64
	moments  stats.ExactMoments
	values   stats.Distribution
}

func (s *summary) observe(x float64) {
	if x < 0 {
		s.negative++
		return
	}
	s.moments.Add(x)
	s.values.Add(x)
}

func (s *summary) column(unit string, jobs int64) Column {
	known := int64(s.moments.N()) + s.negative
	quantile := func(p float64) stats.Number { return stats.Number(s.values.Quantile(p)) }
	return Column{
		Unit: unit, Known: known, KnownPct: percent(known, jobs), Negative: s.negative, Method: s.values.Method(),
		Mean: stats.Number(s.moments.Mean()), CV: stats.Number(s.moments.CV()),
		Q25: quantile(0.25), Median: quantile(0.5), Q75: quantile(0.75),
		Min: stats.Number(s.values.Min()), Max: stats.Number(s.values.Max()),
	}
}

// columnPart summarises a column of the table.
type columnPart struct {
	summary
	at int
}

func (p *columnPart) add(s *slab) {
	for _, x := range s.Floats[p.at] {
		if !math.IsNaN(x) {
			p.observe(x)
		}
	}
	for _, n := range s.Ints[p.at] {
		if n != workload.Unknown {
			p.observe(float64(n))
		}
	}
}

func (p *columnPart) into(d *Description) {
	column := workload.ColumnAt(p.at)
	if c := p.column(column.Unit, d.Jobs); described(p.at, c.Known) {
		d.Columns[column.Name] = c
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
	for _, n := range s.Ints[p.at] {
		if n != workload.Unknown {
			p.known++
			p.values.Add(n)
		}
	}
}

func (p *groupPart) into(d *Description) {
	if described(p.at, p.known) {
		d.Groups[workload.ColumnAt(p.at).Name] = Group{p.known, p.values.Count(), p.values.Method()}
	}
}

// codePart counts jobs by status.
type codePart struct {
	jobs   int64
	status map[workload.Status]int64
}

func (p *codePart) add(s *slab) {
	p.jobs += int64(s.Rows)
	last, run := workload.Unknown, int64(0)
	for i := range s.Rows {
		if code := s.Int(workload.ColStatus, i); code != last {
			p.count(last, run)
			last, run = code, 0
		}
		run++
	}
	p.count(last, run)
}

// count counts a run of jobs of one status.
func (p *codePart) count(code, jobs int64) {
	if jobs > 0 {
		p.status[workload.Status(code)] += jobs
	}
}

func (p *codePart) into(d *Description) { d.Jobs, d.Status = p.jobs, p.status }

// Sizes describes how run times depend on job sizes: their correlation (Lublin and
// Feitelson, 2003, section 6.1).
type Sizes struct {
	Jobs       int64        `json:"jobs"`        // with a known size and a run time of 0 or more
	Pearson    stats.Number `json:"pearson"`     // correlation of processors and seconds
	Spearman   stats.Number `json:"spearman"`    // rank correlation
	RankMethod string       `json:"ranks"`       // how Spearman's ranks were computed
	LogJobs    int64        `json:"log_jobs"`    // those of Jobs with a run time above 0
	Logarithms stats.Number `json:"pearson_log"` // correlation of the logarithms, over LogJobs
}

// relationPart correlates sizes and run times.
type relationPart struct {
	plain, logs stats.ExactCorrelation
	ranks       stats.Spearman
}

func (p *relationPart) add(s *slab) {
	for i, run := range s.run {
		if size := s.size[i]; size != workload.Unknown && run >= 0 && !math.IsInf(run, 0) {
			x := float64(size)
			p.plain.Add(x, run)
			p.ranks.Add(x, run)
			if run > 0 {
				p.logs.Add(math.Log(x), math.Log(run))
			}
		}
	}
}

func (p *relationPart) into(d *Description) {
	d.Sizes = Sizes{
		Jobs: int64(p.plain.N()), Pearson: stats.Number(p.plain.R()), Spearman: stats.Number(p.ranks.R()), RankMethod: p.ranks.Method(),
		LogJobs: int64(p.logs.N()), Logarithms: stats.Number(p.logs.R()),
	}
}
