package fit

import (
	"math"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
)

// addLn adds a cell of y = ln x, with y to stand for it; lo = hi is an exact
// value. A cell without an end, of jobs that were killed, and one without a
// beginning, of jobs of half a second or less, are too wide for a series.
func (p *points) addLn(y, lo, hi, w float64) {
	half, lnWidth := (hi-lo)/2, 0.0
	switch {
	case y == lo && lo < hi: // killed: y is no middle
		half = math.Inf(1)
	case half > 0 && !math.IsInf(half, 1):
		lnWidth = math.Log(2 * half)
	}
	s := p.spans
	p.x, p.w = append(p.x, y), append(p.w, w)
	s.lo, s.hi = append(s.lo, lo), append(s.hi, hi)
	s.halfSquared, s.lnWidth = append(s.halfSquared, half*half), append(s.lnWidth, lnWidth)
}

// lnCells are the task's points as cells of ln x.
func (t task) lnCells() points {
	p := t.points()
	out := points{spans: &spans{}}
	for i, lnX := range p.lnX {
		s := p.spans
		if half := math.Sqrt(s.halfSquared[i]); s.lo[i] > 0 && !math.IsInf(half, 1) {
			out.addLn(lnX, lnX-half, lnX+half, p.w[i]) // the width to all its digits
		} else {
			out.addLn(lnX, math.Log(s.lo[i]), math.Log(s.hi[i]), p.w[i])
		}
	}
	out.lnX = out.x
	return out
}

// perValue is what is added to a log-likelihood of y = ln x for one of x: the
// Jacobians of exact values.
func (p points) perValue() float64 {
	sum := 0.0
	for i, y := range p.x {
		if p.spans == nil || p.spans.lo[i] == p.spans.hi[i] {
			sum -= p.w[i] * y
		}
	}
	return sum
}

// pressLn is press for points of ln x, which pressCells would take for x.
func (p points) pressLn() points {
	if p.spans == nil || p.len() <= cells {
		return p.press()
	}
	first, width := p.x[0], (p.x[p.len()-1]-p.x[0])/cells
	most := ownCell * p.total()
	out := points{spans: &spans{}}
	var exact, endless LogNormalSums
	var end float64 // of the endless cells
	var wide struct{ lo, hi, w float64 }
	flush := func() {
		if exact.W > 0 {
			out.addLn(exact.Mean, exact.Mean, exact.Mean, exact.W)
		}
		if wide.w > 0 {
			middle := (wide.lo + wide.hi) / 2
			if math.IsInf(wide.lo, -1) {
				middle = wide.hi - math.Ln2
			}
			out.addLn(middle, wide.lo, wide.hi, wide.w)
		}
		if endless.W > 0 {
			out.addLn(endless.Mean, endless.Mean, end, endless.W)
		}
		exact, endless, wide.w = LogNormalSums{}, LogNormalSums{}, 0
	}
	last := 0
	for i, y := range p.x {
		w, from, to := p.w[i], p.spans.lo[i], p.spans.hi[i]
		if cell := min(int((y-first)/width), cells-1); cell != last || w >= most {
			flush()
			last = cell
		}
		switch {
		case from == to:
			exact.Merge(LogNormalSums{W: w, Mean: y})
		case y == from: // killed
			endless.Merge(LogNormalSums{W: w, Mean: y})
			end = to
		case wide.w == 0:
			wide.lo, wide.hi, wide.w = from, to, w
		default:
			wide.hi = max(wide.hi, to)
			wide.w += w
		}
		if w >= most {
			flush()
		}
	}
	flush()
	out.lnX = out.x
	sort.Stable(out)
	return out
}

// logNormalOfCells is fitLogNormal where values are not exact and complete: EM
// from the law of exact values.
func (t task) logNormalOfCells() (outcome, error) {
	whole := t.lnPoints()
	if t.endedTooFew(2) {
		return outcome{}, t.degenerate(tooFewEnded)
	}
	m := t.normalMixture(whole, t.options.Workers)
	start, _ := m.split(nil)
	r := m.run(start, fineLimits(), nil)
	law := r.components[0].law
	if err := law.Validate(); err != nil {
		return outcome{}, t.degenerate(err.Error())
	}
	if m.atBound(r.components) {
		return outcome{}, t.degenerate(tooAlike)
	}
	if err := t.cutTooFar(law); err != nil {
		return outcome{}, err
	}
	return outcome{law: law, free: 2, status: r.status, iterations: r.iterations}, nil
}

// normalComponentsOf takes a fitted log-normal law, or a mixture, apart.
func normalComponentsOf(l dist.Law) ([]normalComponent, bool) {
	switch l := uncut(l).(type) {
	case dist.LogNormal:
		return []normalComponent{{1, l}}, true
	case dist.LogNormalMixture:
		var c []normalComponent
		for _, p := range l.Parts() {
			c = append(c, normalComponent{p.Weight, p.Law})
		}
		return c, true
	}
	return nil, false
}
