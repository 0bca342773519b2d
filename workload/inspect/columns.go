package inspect

import (
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

// sizeColumn is the name of a derived column: the processors allocated or, if unknown, requested.
const sizeColumn = "size_processors"

// Measured returns the names of the columns that Description.Columns may have, in the order
// of the job table, followed by "size_processors": the processors allocated or, if unknown,
// requested.
func Measured() []string { return append(workload.ColumnNames(measured), sizeColumn) }

// Identifiers returns the names of the columns that Description.Groups may have, in the
// order of the job table.
func Identifiers() []string { return workload.ColumnNames(grouped) }

// measured are the columns that are summarised; grouped are the identifiers and codes whose values
// are counted.
var (
	measured = workload.ColumnsOf(workload.Measured, workload.Amount)
	grouped  = slices.Sorted(slices.Values(append(workload.ColumnsOf(workload.Identifier), workload.ColPrecedingJob, workload.ColArray)))
)

// described reports whether a column is part of the description. Optional ones are if some job has
// a value.
func described(at int, known int64) bool { return at < workload.FirstOptional || known > 0 }

// summary accumulates the known values of a column.
type summary struct {
	negative int64
	moments  stats.ExactMoments
	values   stats.Distribution
}

func (s *summary) add(x float64) {
	switch {
	case x < 0:
		s.negative++
	case x >= 0:
		s.moments.Add(x)
		s.values.Add(x)
	}
}

// known returns the number of known values.
func (s *summary) known() int64 { return int64(s.moments.N()) + s.negative }

func (s *summary) quantile(p float64) stats.Number { return stats.Number(s.values.Quantile(p)) }

func (s *summary) column(unit string, jobs int64) Column {
	return Column{
		Unit: unit, Known: s.known(), KnownPct: percent(s.known(), jobs), Negative: s.negative, Method: s.values.Method(),
		Mean: stats.Number(s.moments.Mean()), CV: stats.Number(s.moments.CV()),
		Q25: s.quantile(0.25), Median: s.quantile(0.5), Q75: s.quantile(0.75),
		Min: stats.Number(s.values.Min()), Max: stats.Number(s.values.Max()),
	}
}

// column summarises a column of the job table.
func column(at int) measure {
	var all summary
	return measure{func(b *workload.Batch) {
		for _, x := range b.Floats[at] {
			all.add(x)
		}
		for _, n := range b.Ints[at] {
			all.add(number(n))
		}
	}, func(d *Description) {
		if c := workload.ColumnAt(at); described(at, all.known()) {
			d.Columns[c.Name] = all.column(c.Unit, d.Jobs)
		}
	}}
}

// sizes summarises the sizes of the jobs, with the share of serial jobs and the share of powers of
// two among the parallel ones.
func sizes() measure {
	var all summary
	var serial, powers float64
	return measure{func(b *workload.Batch) {
		for i := range b.Rows {
			n := b.Size(i) // 1 or more, or Unknown
			all.add(number(n))
			if n == 1 {
				serial++
			} else if n > 0 && n&(n-1) == 0 {
				powers++
			}
		}
	}, func(d *Description) {
		d.Columns[sizeColumn] = all.column("processors", d.Jobs)
		n := float64(all.known())
		d.Serial, d.Parallel, d.PowerOfTwo = stats.Share(serial/n), stats.Share(1-serial/n), stats.Share(powers/(n-serial))
	}}
}

// Group counts the distinct values of an identifier.
type Group struct {
	Known    int64  `json:"known"` // jobs with a known value
	Distinct int64  `json:"distinct"`
	Method   string `json:"method"` // "exact", or the standard error of an estimate
}

// group counts the values of one identifier.
func group(at int, most limits) measure {
	known, values := int64(0), stats.Cardinality{Most: most.distinct}
	return measure{func(b *workload.Batch) {
		for _, n := range b.Ints[at] {
			if n != workload.Unknown {
				known++
				values.Add(n)
			}
		}
	}, func(d *Description) {
		if described(at, known) {
			d.Groups[workload.ColumnAt(at).Name] = Group{known, values.Count(), values.Method()}
		}
	}}
}

// statuses counts jobs by status.
func statuses() measure {
	jobs, byStatus := int64(0), map[workload.Status]int64{}
	return measure{func(b *workload.Batch) {
		for i := range b.Rows {
			jobs++
			byStatus[workload.Status(b.Int(workload.ColStatus, i))]++
		}
	}, func(d *Description) { d.Jobs, d.Status = jobs, byStatus }}
}
