package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Column is what is known of one measured column, over the jobs in which it is
// known. Statistics of an empty column are NaN.
type Column struct {
	Name  string // as in the table, or "size_processors", which is derived
	Unit  string
	Known int64 // jobs in which it is known
	// Negative is how many of these are below 0, which no time or size can be:
	// they are left out of what follows.
	Negative int64
	Mean     float64 // in Unit, like the following
	CV       float64 // coefficient of variation: standard deviation over mean
	Q25      float64
	Median   float64
	Q75      float64
	Min      float64
	Max      float64
	Method   string // how the quantiles were found
}

// measured are the columns that are summarised.
var measured = workload.ColumnsOf(workload.Measured, workload.Amount)

// summary gathers one measured column.
type summary struct {
	negative  int64
	moments   stats.Moments
	quantiles stats.Quantiles
}

func (s *summary) addOne(x float64) {
	if x < 0 {
		s.negative++
		return
	}
	s.moments.Add(x)
	s.quantiles.Add(x)
}

func (s *summary) column(name, unit string) Column {
	n := int64(s.moments.N())
	return Column{
		Name: name, Unit: unit, Known: n + s.negative, Negative: s.negative, Method: s.quantiles.Method(),
		Mean: s.moments.Mean(), CV: s.moments.CV(),
		Q25: s.quantiles.Quantile(0.25), Median: s.quantiles.Quantile(0.5), Q75: s.quantiles.Quantile(0.75),
		Min: s.quantiles.Min(), Max: s.quantiles.Max(),
	}
}

// columnPart summarises a column of the table.
type columnPart struct {
	summary
	at        int
	described workload.Column
}

func (p *columnPart) add(s *slab) {
	if p.described.Float() {
		for i := range s.Len() {
			if x := s.Float(p.at, i); !math.IsNaN(x) {
				p.addOne(x)
			}
		}
		return
	}
	for i := range s.Len() {
		if n := s.Int(p.at, i); n != workload.Unknown {
			p.addOne(float64(n))
		}
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
		p.addOne(float64(n))
		if n == 1 {
			p.serial++
		} else if n&(n-1) == 0 {
			p.powers++
		}
	}
}

// shares are of the serial jobs, and of powers of two among the others.
func (p *sizePart) shares() (serial, powers float64) {
	serial, powers = math.NaN(), math.NaN()
	if n := float64(p.moments.N()); n > 0 {
		serial = float64(p.serial) / n
		if parallel := n - float64(p.serial); parallel > 0 {
			powers = float64(p.powers) / parallel
		}
	}
	return serial, powers
}
