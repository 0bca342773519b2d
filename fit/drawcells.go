package fit

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// cellTable draws samples of one law's values rounded to cells: it holds the
// law's distribution function at the ends of the cells, and a sample's
// uniforms, which are drawn in ascending order, are counted along it. A
// bootstrap draws hundreds of samples from one law, so that the table is soon
// paid for: at a million jobs a sample costs a fifth of one drawn from the law
// job by job.
type cellTable struct {
	law   dist.Law
	first int       // the first cell
	upTo  []float64 // of those above the least value, the share up to the end of a cell
	end   float64   // of the last cell, transformed
	above float64   // the law's share of what can be drawn at all
}

// mostCells bounds the table: 2^20 seconds are 12 days. It is made where it
// has at most an eighth of the jobs of all replicates, and leaves no more than
// rarely beyond it, since a job there costs many others.
const (
	mostCells   = 1 << 20
	rarely      = 0.002
	jobsPerCell = 8
)

// newCellTable returns the table for samples of n jobs, or nil where the law
// itself is to be drawn from.
func (t task) newCellTable(law dist.Law, n int) *cellTable {
	transform, cell := t.options.Transform, t.options.Resolution
	if !(cell > 0) || n == 0 {
		return nil
	}
	edge := func(k int) float64 { return transform.Apply((float64(k) - 0.5) * cell) }
	top := transform.Invert(dist.InverseSurvival(law, 1/float64(n))) / cell
	first := int(t.family.least(transform)/cell) + 1
	last := int(min(mostCells, max(top, float64(first))+1))
	c := &cellTable{law: law, first: first, end: edge(last + 1), above: law.Survival(edge(first))}
	if jobsPerCell*float64(last-first+1) > float64(n)*float64(t.options.Replicates) || !(c.above > 0) || !(law.Survival(c.end) <= rarely) {
		return nil
	}
	below := law.CDF(edge(first))
	c.upTo = make([]float64, last-first+1)
	for i := range c.upTo {
		x := edge(first + i + 1)
		f := law.CDF(x)
		c.upTo[i] = (f - below) / c.above
		if f > 0.5 {
			c.upTo[i] = 1 - law.Survival(x)/c.above
		}
	}
	return c
}

// draw returns the numbers of the cells of n jobs, ascending, with counts; of
// those beyond the table, the transformed values.
func (c *cellTable) draw(rng *rand.Rand, n int) (cells []int, counts, beyond []float64) {
	// The sums of n of n+1 exponentials over that of all are n uniforms in
	// order (Devroye 1986, section V.2.2).
	sums := make([]float64, n)
	total := 0.0
	for i := range sums {
		total += rng.ExpFloat64()
		sums[i] = total
	}
	total += rng.ExpFloat64()
	at := 0
	for _, s := range sums {
		u := s / total
		for at < len(c.upTo) && u > c.upTo[at] {
			at++
		}
		if at == len(c.upTo) {
			beyond = append(beyond, max(c.end, dist.InverseSurvival(c.law, max(1e-17, (total-s)/total)*c.above)))
			continue
		}
		if k := c.first + at; len(cells) == 0 || cells[len(cells)-1] != k {
			cells, counts = append(cells, k), append(counts, 0)
		}
		counts[len(counts)-1]++
	}
	return cells, counts, beyond
}

// drawCells is draw by the table.
func (t task) drawCells(rng *rand.Rand, table *cellTable, n int) (values, counts []float64) {
	cells, counts, beyond := table.draw(rng, n)
	values = make([]float64, len(cells), len(cells)+len(beyond))
	for i, k := range cells {
		values[i] = t.options.Transform.Apply(t.options.Resolution * float64(k))
	}
	for i, x := range beyond {
		beyond[i] = t.rounded(x)
	}
	far, c := stats.Distinct(beyond)
	for i, v := range far {
		if math.IsInf(v, 1) {
			break
		}
		values, counts = append(values, t.options.Transform.Apply(v)), append(counts, c[i])
	}
	return values, counts
}

// rounded is the attribute at a transformed value, rounded to its cell.
func (t task) rounded(x float64) float64 {
	cell := t.options.Resolution
	return cell * math.Round(t.options.Transform.Invert(x)/cell)
}
