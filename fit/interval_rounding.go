package fit

import (
	"fmt"
	"math"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Rounding says how the attribute was rounded to multiples of the resolution,
// for a likelihood that knows of it: that of a job is then the probability of
// its cell, all values that round to the one in the log, and not a density.
// Such a likelihood is bounded whatever is repeated in the data.
type Rounding string

// The roundings. A log's run time is most often the difference of two times
// in whole seconds, and nearest to the true one; generated run times are
// rounded down, as the authors' program of 1999 does.
const (
	NoRounding     Rounding = ""        // the likelihood is one of densities
	RoundedNearest Rounding = "nearest" // the cell of v is [v-r/2, v+r/2), r the resolution
	RoundedDown    Rounding = "down"    // the cell of v is [v, v+r)
)

// Validate returns nil or an error that lists the roundings.
func (r Rounding) Validate() error {
	switch r {
	case NoRounding, RoundedNearest, RoundedDown:
		return nil
	}
	return fmt.Errorf("fit: rounding is %q, want %s or %s, or nothing", string(r), RoundedNearest, RoundedDown)
}

// cell returns the ends of the cell of a value.
func (r Rounding) cell(v, width float64) (lo, hi float64) {
	if r == RoundedDown {
		return v, v + width
	}
	return v - width/2, v + width/2
}

// value returns the value of the cell that v lies in.
func (r Rounding) value(v, width float64) float64 {
	if r == RoundedDown {
		return width * math.Floor(v/width)
	}
	return width * math.Round(v/width)
}

// validateIntervals checks the options of likelihoods of cells, filled, for a
// family and a sample.
func (o Options) validateIntervals(f family, s Sample) error {
	if err := o.Rounding.Validate(); err != nil {
		return err
	}
	if math.IsNaN(o.Max) || math.IsInf(o.Max, 0) || o.Max < 0 {
		return fmt.Errorf("fit: max is %g, want a finite number above 0, or 0 for no limit", o.Max)
	}
	if o.Rounding == NoRounding && !o.Censored && o.Max == 0 {
		return nil
	}
	if !f.cells {
		return fmt.Errorf("fit: %s is fitted to exact and complete values only: rounding, censored and max are options of Gamma mixtures and their special cases", f.name)
	}
	if o.Max > 0 && o.Max <= o.Transform.least() {
		return fmt.Errorf("fit: max is %g, want more than %g for the %s of it", o.Max, o.Transform.least(), o.Transform)
	}
	if o.Censored && o.Replicates > 0 {
		return fmt.Errorf("fit: replicates is %d with censored jobs, want 0: what would have been censored in a replicate is not known", o.Replicates)
	}
	if o.Rounding == NoRounding {
		return nil
	}
	if !(o.Resolution > 0) {
		return fmt.Errorf("fit: rounding is %s, but no resolution is given and the values are not whole numbers", o.Rounding)
	}
	for _, v := range s.Values {
		if n := v / o.Resolution; !(math.Abs(n-math.Round(n)) <= 1e-6) {
			return fmt.Errorf("fit: rounding is %s to multiples of %g, but the sample has the value %g", o.Rounding, o.Resolution, v)
		}
	}
	return nil
}

// newRoundedTask is newTask where the likelihood is of cells. A job belongs to
// the fit if some of its cell is where the transform can take it: one of 1 s
// may have run for 1.4 s, whose logarithm is above 0, and one of 0 s for
// 0.4 s. x is the middle of that part.
func newRoundedTask(f family, a Attribute, s Sample, o Options) task {
	name, unit := a.words()
	least := o.Transform.least()
	kept := Sample{LeftOut: s.LeftOut}
	var x []float64
	var below, beyond float64
	add := func(v, jobs, censored float64) {
		lo, hi := o.Rounding.cell(v, o.Resolution)
		lo = max(lo, least)
		if o.Max > 0 {
			hi = min(hi, o.Max)
		}
		switch {
		case hi <= least:
			below += jobs
			return
		case hi <= lo:
			beyond += jobs
			return
		}
		x = append(x, o.Transform.Apply((lo+hi)/2))
		kept.Values, kept.Counts = append(kept.Values, v), append(kept.Counts, jobs)
		if s.Censored != nil {
			kept.Censored = append(kept.Censored, censored)
		}
	}
	if least == 0 && s.Zeros > 0 {
		add(0, s.Zeros, 0)
		kept.takeBack(name+" not positive", int64(s.Zeros))
	}
	for i, v := range s.Values {
		censored := 0.0
		if s.Censored != nil {
			censored = s.Censored[i]
		}
		add(v, s.Counts[i], censored)
	}
	kept.leaveOut(fmt.Sprintf("%s not above %g%s", name, least, unit), int64(below))
	kept.leaveOut(fmt.Sprintf("%s above the limit of %g%s", name, o.Max, unit), int64(beyond))
	return task{family: f, attribute: a, sample: kept, x: x, options: o}
}

// takeBack takes jobs out of those left out.
func (s *Sample) takeBack(why string, jobs int64) {
	var out []LeftOut
	for _, l := range s.LeftOut {
		if l.Why == why {
			l.Jobs -= jobs
		}
		if l.Jobs > 0 {
			out = append(out, l)
		}
	}
	s.LeftOut = out
}

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

// points is the task's sample for EM.
func (t task) points() points {
	if !t.inCells() {
		return newPoints(t.x, t.sample.Counts)
	}
	o := t.options
	end := math.Inf(1)
	if limit := t.limit(); limit > 0 {
		end = limit
	}
	least := o.Transform.least()
	at := func(v float64) float64 {
		if v <= least {
			return 0
		}
		return min(o.Transform.Apply(v), end)
	}
	p := points{spans: &spans{}}
	for i, x := range t.x {
		censored := 0.0
		if o.Censored && t.sample.Censored != nil {
			censored = t.sample.Censored[i]
		}
		lo, hi, from := x, x, x
		if o.Rounding != NoRounding {
			v := o.Rounding.value(o.Transform.Invert(x), o.Resolution)
			a, b := o.Rounding.cell(v, o.Resolution)
			lo, hi, from = at(a), at(b), at(v)
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
	c := componentsOf(r.Law)
	t.options.Components = len(c)
	m := t.mixture(t.points(), t.options.Workers)
	l := m.logLikelihood(c)
	r.LogLikelihood = l + t.perAttribute()
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

// cut is the law that the values follow: law, cut at the limit.
func (t task) cut(law dist.Law) dist.Law {
	if limit := t.limit(); limit > 0 {
		return cutLaw{Law: law, limit: limit}
	}
	return law
}
