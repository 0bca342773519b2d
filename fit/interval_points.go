package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/points"
	"github.com/loadstone-hpc/loadstone/stats"
)

// inCells says whether the task's likelihood is of cells.
func (t task) inCells() bool {
	return t.options.Rounding != NoRounding || t.options.Censored && t.sample.Censored != nil
}

// limit is where the law of x is cut; 0 where it is not.
func (t task) limit() float64 {
	if t.options.Max > 0 {
		return t.options.Transform.Apply(t.options.Max)
	}
	return 0
}

// end is limit, +Inf where the law is not cut.
func (t task) end() float64 {
	if limit := t.limit(); limit > 0 {
		return limit
	}
	return math.Inf(1)
}

// cell returns the ends of the cell of a transformed value, in which the law
// has all values that are rounded to it. It needs a Rounding.
func (t task) cell(x float64) (lo, hi float64) {
	o := t.options
	lo, hi = o.Rounding.Cell(o.Rounding.value(o.Transform.Invert(x), o.Resolution), o.Resolution)
	return t.cellEnd(lo), t.cellEnd(hi)
}

// cellEnd transforms the end of a cell, kept to where the law is.
func (t task) cellEnd(v float64) float64 {
	if v <= t.options.Transform.least() {
		return 0
	}
	return min(t.options.Transform.Apply(v), t.end())
}

// roundedTo is cell for a task with a Rounding, nil for one without.
func (t task) roundedTo() func(x float64) (lo, hi float64) {
	if t.options.Rounding == NoRounding {
		return nil
	}
	return t.cell
}

// points is the task's sample as a likelihood takes it.
func (t task) points() points.Set {
	if !t.inCells() {
		return points.New(t.x, t.sample.Counts)
	}
	o := t.options
	end := t.end()
	p := points.Set{Cells: &points.Cells{}}
	for i, x := range t.x {
		censored := 0.0
		if o.Censored && t.sample.Censored != nil {
			censored = t.sample.Censored[i]
		}
		lo, hi, from := x, x, x
		if o.Rounding != NoRounding {
			lo, hi = t.cell(x)
			from = t.cellEnd(o.Rounding.value(o.Transform.Invert(x), o.Resolution))
		}
		if from >= end {
			from = lo // killed at the law's own limit
		}
		if w := t.sample.Counts[i] - censored; w > 0 {
			p.Add(lo, hi, w)
		}
		if censored > 0 && from < end {
			p.AddCensored(from, end, censored)
		}
	}
	p.Sort() // a censored job's value is before the middle of its cell
	return p
}

// perAttribute is what is added to a log-likelihood of the transformed
// attribute, as EM computes it, for one of the attribute itself: the
// Jacobians of exact values. A cell's probability does not depend on the
// transform; it is divided by the resolution, so that the log-likelihood is
// one of densities averaged over cells and compares with that of exact
// values. A censored job has a probability and nothing to divide it by.
func (t task) perAttribute() float64 {
	sum := 0.0
	for i, v := range t.sample.Values {
		w := t.sample.Counts[i]
		if t.options.Censored && t.sample.Censored != nil {
			w -= t.sample.Censored[i]
		}
		if t.options.Rounding != NoRounding {
			sum -= w * math.Log(t.options.Resolution)
		} else {
			sum += w * t.options.Transform.logJacobian(v)
		}
	}
	return sum
}

// likelihoodOfCells fills the log-likelihoods where they are of cells, or of
// a law that is cut.
func (t task) likelihoodOfCells(r *Report) {
	r.LogLikelihoodTransformed = t.ofCells(r.Law) + t.perAttribute()
	r.LogLikelihood = stats.Number(r.LogLikelihoodTransformed)
	for i, v := range t.sample.Values {
		w := t.sample.Counts[i]
		if t.options.Censored && t.sample.Censored != nil {
			w -= t.sample.Censored[i]
		}
		if v > 0 {
			r.LogLikelihoodTransformed -= w * t.options.Transform.logJacobian(v)
		}
	}
}

// ofCells is the log-likelihood of cells under a law of the transformed
// attribute.
func (t task) ofCells(law dist.Law) float64 {
	if c, ok := normalComponentsOf(law); ok {
		m := t.normals(t.lnPoints())
		m.Workers = t.options.Workers
		return m.LogLikelihood(c) + perValue(m.Points)
	}
	if l, ok := uncut(law).(dist.Weibull); ok {
		return t.weibullCells().LogLikelihood(l)
	}
	m := t.mixture(t.points())
	m.Workers = t.options.Workers
	return m.LogLikelihood(componentsOf(law))
}

// perValue is what is added to a log-likelihood of y = ln x for one of x: the
// Jacobians of exact values.
func perValue(p points.Set) float64 {
	sum := 0.0
	for i, y := range p.X {
		if lo, hi := p.Ends(i); lo == hi {
			sum -= p.W[i] * y
		}
	}
	return sum
}

// endedTooFew says whether jobs that were not censored have fewer distinct
// values than are wanted.
func (t task) endedTooFew(distinct int) bool {
	if !t.options.Censored || t.sample.Censored == nil {
		return false
	}
	for i, jobs := range t.sample.Counts {
		if jobs > t.sample.Censored[i] {
			distinct--
		}
	}
	return distinct > 0
}

const tooFewEnded = "all jobs but for fewer values than the distribution needs are censored"

// leastBelow is the share of a law below the cut at Options.Max under which
// the cut values do not tell the law: its scale grows without end.
const leastBelow = 1e-6

// cutTooFar is an error if next to nothing of a law is below the cut.
func (t task) cutTooFar(law dist.Law) error {
	if limit := t.limit(); limit > 0 && !(law.CDF(limit) > leastBelow) {
		return t.degenerate(fmt.Sprintf("the likeliest distribution has nearly all of its values above the limit of %g, and what is below does not tell it", t.options.Max))
	}
	return nil
}

// cut is the law that the values follow: law, cut at the limit.
func (t task) cut(law dist.Law) dist.Law {
	if limit := t.limit(); limit > 0 {
		return cutLaw{Law: law, limit: limit}
	}
	return law
}
