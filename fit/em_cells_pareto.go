package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// paretoCells is a sample of cells of ln x with what the smallest value of a
// Pareto law depends on.
type paretoCells struct {
	powerCells
	lo, hi float64 // the cell of the smallest value of a job that ended
	near   []int   // the cells that begin before hi
	above  float64 // the jobs of the others
}

func newParetoCells(c powerCells) paretoCells {
	p := paretoCells{powerCells: c, lo: math.Inf(1)}
	for i, y := range c.x {
		lo, hi := c.ends(i)
		if killed := lo == y && lo < hi; !killed && lo < p.lo {
			p.lo, p.hi = lo, hi
		}
	}
	for i, w := range c.w {
		if lo, _ := c.ends(i); lo < p.hi || lo == p.lo {
			p.near = append(p.near, i)
		} else {
			p.above += w
		}
	}
	return p
}

// ends are those of a cell; of an exact value, itself.
func (c powerCells) ends(i int) (lo, hi float64) {
	if c.spans == nil {
		return c.x[i], c.x[i]
	}
	return c.spans.lo[i], c.spans.hi[i]
}

// odds is 1/expm1(z): the odds that an exponential time is beyond z.
func odds(z float64) float64 { return 1 / math.Expm1(z) }

// fromSlope is the slope of the log-likelihood in ln XMin, over alpha. It
// falls as ln XMin rises.
func (p paretoCells) fromSlope(alpha, from float64) float64 {
	sum := p.above
	for _, i := range p.near {
		if lo, hi := p.ends(i); lo <= from {
			sum -= p.w[i] * odds(alpha*(hi-from))
		} else {
			sum += p.w[i]
		}
	}
	return sum + p.jobs*odds(alpha*(p.limit-from))
}

// from is the likeliest ln XMin for an alpha.
func (p paretoCells) from(alpha float64) float64 {
	if p.lo == p.hi || p.fromSlope(alpha, p.lo) <= 0 {
		return p.lo
	}
	// In ln of the distance from the end of the cell, over which the slope
	// rises from -Inf.
	at := func(lnDistance float64) float64 { return max(p.lo, p.hi-math.Exp(lnDistance)) }
	slope := func(lnDistance float64) float64 { return p.fromSlope(alpha, at(lnDistance)) }
	near, far := -math.Log(alpha), -math.Log(alpha)
	for near > -700 && slope(near) > 0 {
		near--
	}
	for far < 700 && slope(far) < 0 {
		far++
	}
	ln, err := num.Root(slope, near, far, 1e-14)
	if err != nil {
		return p.lo
	}
	return at(ln)
}

// slope is that of the log-likelihood in alpha.
func (p paretoCells) slope(l paretoOfLn) float64 {
	past := func(width float64) float64 { // of ln(1 - exp(-alpha width))
		if math.IsInf(width, 1) {
			return 0
		}
		return width * odds(l.alpha*width)
	}
	var sum num.Sum
	for i, y := range p.x {
		lo, hi := p.ends(i)
		switch {
		case lo == hi:
			sum.Add(p.w[i] * (1/l.alpha - (y - l.from)))
		case lo < l.from:
			sum.Add(p.w[i] * past(hi-l.from))
		default:
			sum.Add(p.w[i] * (past(p.width[i]) - (lo - l.from)))
		}
	}
	sum.Add(-p.jobs * past(p.limit-l.from))
	return sum.Value()
}
