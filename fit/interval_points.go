package fit

import (
	"fmt"
	"math"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
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

// points is the task's sample for EM.
func (t task) points() points {
	if !t.inCells() {
		return newPoints(t.x, t.sample.Counts)
	}
	o := t.options
	end := t.end()
	p := points{spans: &spans{}}
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
			p.add(lo, hi, w)
		}
		if censored > 0 && from < end {
			p.addCensored(from, end, censored)
		}
	}
	sort.Stable(p) // a censored job's value is before the middle of its cell
	return p
}

func (p *points) add(lo, hi, w float64) {
	x, lnX := p.spans.add(lo, hi)
	p.x, p.lnX, p.w = append(p.x, x), append(p.lnX, lnX), append(p.w, w)
}

// addCensored adds jobs that would have ended between lo and hi. The cell is
// no place of theirs, however narrow: what presses a sample must not join it
// with others.
func (p *points) addCensored(lo, hi, w float64) {
	p.add(lo, hi, w)
	i := len(p.x) - 1
	p.spans.halfSquared[i] = math.Inf(1)
	if lo > 0 {
		p.x[i], p.lnX[i] = lo, math.Log(lo)
	}
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
	r.LogLikelihood = t.ofCells(r.Law) + t.perAttribute()
	r.LogLikelihoodTransformed = r.LogLikelihood
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
		p := t.lnPoints()
		return t.normalMixture(p, t.options.Workers).logLikelihood(c) + p.perValue()
	}
	if l := powerOf(law); l != nil {
		return t.powerCells().logLikelihood(l)
	}
	c := componentsOf(law)
	t.options.Components = len(c)
	return t.mixture(t.points(), t.options.Workers).logLikelihood(c)
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

const tooFewEnded = "all jobs but for fewer values than the law needs are censored"

// leastBelow is the share of a law below the cut at Options.Max under which
// the cut values do not tell the law: its scale grows without end.
const leastBelow = 1e-6

// cutTooFar is an error if next to nothing of a law is below the cut.
func (t task) cutTooFar(law dist.Law) error {
	if limit := t.limit(); limit > 0 && !(law.CDF(limit) > leastBelow) {
		return t.degenerate(fmt.Sprintf("the likeliest law has nearly all of its values above the limit of %g, and what is below does not tell it", t.options.Max))
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
