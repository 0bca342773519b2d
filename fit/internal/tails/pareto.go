package tails

import (
	"errors"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// paretoOfLn: Pr{Y > y} = exp(-alpha (y - from)) above from.
type paretoOfLn struct{ alpha, from float64 }

func (l paretoOfLn) lnMass(lo, hi, width float64) float64 {
	if lo < l.from {
		lo, width = l.from, hi-l.from
	}
	if !(width > 0) {
		return math.Inf(-1)
	}
	return math.Log(-math.Expm1(-l.alpha*width)) - l.alpha*(lo-l.from)
}

func (l paretoOfLn) lnDensity(y float64) float64 {
	if y < l.from {
		return math.Inf(-1)
	}
	return math.Log(l.alpha) - l.alpha*(y-l.from)
}

// The errors of Pareto.
var (
	errNoTail    = errors.New("the likeliest alpha is not above 0: a decade holds no less than the decade before it, which is no Pareto tail; bounded-pareto has such laws")
	errNoMaximum = errors.New("the likelihood has no maximum among floating-point numbers")
)

// Pareto returns the law of maximum likelihood; spread is the standard
// deviation of ln x. XMin lies in the first cell of jobs that ended (it is the
// value, where that is exact): a job killed before it says nothing. For each
// Alpha the likelihood has one maximum in ln XMin, and its slope along these in
// Alpha is found to be 0. A law that is cut may want an Alpha that is not above
// 0, which is an error.
func (c Cells) Pareto(spread float64) (dist.Pareto, error) {
	p := newParetoCells(c)
	slope := func(lnAlpha float64) float64 {
		alpha := math.Exp(lnAlpha)
		return p.slope(paretoOfLn{alpha, p.from(alpha)})
	}
	// From the scale of ln x, steps that double reach both sides.
	lo := -math.Log(spread)
	hi := lo
	for step := 0.5; slope(lo) < 0; step *= 2 {
		if lo -= step; lo < -20 {
			return dist.Pareto{}, errNoTail
		}
	}
	for step := 0.5; slope(hi) > 0 && step < 1000; step *= 2 {
		hi += step
	}
	lnAlpha, err := num.Root(slope, lo, hi, 1e-14)
	if err != nil {
		return dist.Pareto{}, errNoMaximum
	}
	alpha := math.Exp(lnAlpha)
	return dist.Pareto{XMin: math.Exp(p.from(alpha)), Alpha: alpha}, nil
}

// paretoCells is a sample of cells of ln x with what the smallest value of a
// Pareto law depends on.
type paretoCells struct {
	Cells
	lo, hi float64 // the cell of the smallest value of a job that ended
	near   []int   // the cells that begin before hi
	above  float64 // the jobs of the others
}

func newParetoCells(c Cells) paretoCells {
	p := paretoCells{Cells: c, lo: math.Inf(1)}
	for i := range c.X {
		if lo, hi := c.Ends(i); !c.Censored(i) && lo < p.lo {
			p.lo, p.hi = lo, hi
		}
	}
	for i, w := range c.W {
		if lo, _ := c.Ends(i); lo < p.hi || lo == p.lo {
			p.near = append(p.near, i)
		} else {
			p.above += w
		}
	}
	return p
}

// odds is 1/expm1(z): the odds that an exponential time is beyond z.
func odds(z float64) float64 { return 1 / math.Expm1(z) }

// fromSlope is the slope of the log-likelihood in ln XMin, over alpha. It
// falls as ln XMin rises.
func (p paretoCells) fromSlope(alpha, from float64) float64 {
	sum := p.above
	for _, i := range p.near {
		if lo, hi := p.Ends(i); lo <= from {
			sum -= p.W[i] * odds(alpha*(hi-from))
		} else {
			sum += p.W[i]
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
	for i, y := range p.X {
		lo, hi := p.Ends(i)
		switch {
		case lo == hi:
			sum.Add(p.W[i] * (1/l.alpha - (y - l.from)))
		case lo < l.from:
			sum.Add(p.W[i] * past(hi-l.from))
		default:
			sum.Add(p.W[i] * (past(p.width[i]) - (lo - l.from)))
		}
	}
	sum.Add(-p.jobs * past(p.limit-l.from))
	return sum.Value()
}
