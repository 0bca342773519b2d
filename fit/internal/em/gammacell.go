package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// negligible is a fall of the logarithm of a density, from its highest value
// in a cell, beyond which nothing is left to sum.
const negligible = 45

// GammaCell returns the probability of the cell from lo to hi under g, and the
// means of x and ln x inside it, 0 <= lo < hi; hi may be +Inf. No two distribution functions are subtracted: the density of
// ln x, which is log-concave whatever the shape, is integrated outwards from
// its highest point in the cell, in panels over which it falls by a factor
// of e^4 or so. The relative error of the mass is about 1e-13 in both tails,
// plus that of the density, and the mass may be far below what a float64 can
// hold, since only its logarithm is returned.
func GammaCell(g dist.Gamma, lo, hi float64) Moments {
	u := math.Log(g.Shape) + math.Log(g.Scale) // the density of ln x has its mode at ln(a b)
	switch {
	case lo > 0 && u < math.Log(lo):
		u = math.Log(lo)
	case u > math.Log(hi):
		u = math.Log(hi)
	}
	x := min(max(math.Exp(u), lo), hi)
	y := x / g.Scale
	top := math.Log(g.Shape) + num.LogGammaKernel(g.Shape, y) // density of ln x there
	s := cellSum{shape: g.Shape, y: y}
	// ln(hi/x) and ln(lo/x), to the precision of hi - x.
	if hi > x {
		s.side(1, math.Log1p((hi-x)/x))
	}
	if lo < x {
		s.side(-1, -math.Log1p((lo-x)/x))
	}
	m := Moments{min(0, top+math.Log(s.mass)), x * (1 + s.growth/s.mass), math.Log(x) + s.d/s.mass}
	if v := m.A + m.B + s.mass; math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(m.LnMass) {
		// Laws and cells at the ends of what a float64 can hold.
		m = Moments{math.Inf(-1), min(max(x, math.SmallestNonzeroFloat64), math.MaxFloat64), 0}
		m.B = math.Log(m.A)
	}
	return m
}

// cellSum integrates exp(shape d - y expm1(d)), the density of ln x over its
// value at a point, d being the distance in ln x from there, and that times d
// and times expm1(d).
type cellSum struct {
	shape, y        float64
	mass, d, growth float64
}

// mostPanels ends what would take forever: shapes so large that the density
// is narrower than a float64 can tell. Eight panels or so are usual; laws and
// cells hundreds of orders of magnitude apart take hundreds.
const mostPanels = 1000

// side adds the integral from 0 to a distance in one direction, 1 or -1, in
// which the density falls.
func (s *cellSum) side(direction, to float64) {
	at := 0.0
	for range mostPanels {
		if !(at < to) {
			return
		}
		y := s.y * math.Exp(direction*at)
		if direction < 0 && y < 1e-18 {
			s.exponential(-at, to-at)
			return
		}
		// Over a panel the density falls by slope w + y w²/2; y itself must
		// not double.
		slope := max(0, direction*(y-s.shape))
		w := min(8/(slope+math.Sqrt(slope*slope+8*y)), 0.7, to-at)
		s.panel(direction*(at+w/2), w/2)
		at += w
		if end := direction * at; s.shape*end-s.y*math.Expm1(end) < -negligible {
			return
		}
	}
}

// panel adds the integral over centre ± half.
func (s *cellSum) panel(centre, half float64) {
	for i, node := range num.GaussNodes {
		for _, d := range [2]float64{centre - half*node, centre + half*node} {
			g := math.Expm1(d)
			f := half * num.GaussWeights[i] * math.Exp(s.shape*d-s.y*g)
			s.mass += f
			s.d += f * d
			s.growth += f * g
		}
	}
}

// exponential adds the integral over [from-length, from], so far below the
// mode that the density of ln x is an exponential of rate shape.
func (s *cellSum) exponential(from, length float64) {
	a := s.shape
	f := math.Exp(a*from - s.y*math.Expm1(from))
	mass := -f * math.Expm1(-a*length) / a
	// 1 - exp(-z)(1+z) loses its digits for small z.
	z := a * length
	first := 1.0
	switch {
	case z < 1e-3:
		first = z * z * (1.0/2 - z*(1.0/3-z*(1.0/8-z/30)))
	case z < 700:
		first = -math.Expm1(-z) - z*math.Exp(-z)
	}
	s.mass += mass
	s.d += from*mass - f*first/(a*a)
	s.growth += -f*math.Exp(from)*math.Expm1(-(a+1)*length)/(a+1) - mass
}

// narrowCells is the largest squared size of a cell, in units of the scale on
// which the density changes, for which the narrow cells' series is good to 1e-13.
const narrowCells = 3e-4

// narrowGamma is GammaCell for a cell so small that the density hardly changes in
// it: Taylor's series about its middle in ln x, which costs no exponential. c
// is ln of the middle, e^c the middle, halfSquared the square of half of the
// cell's width in ln x, lnWidth the logarithm of its width in x, that is, of
// e^c times the width in ln x. A half of 0 stands for an exact value, with
// its density in the place of a mass. ok is false where the cell is too wide.
func narrowGamma(g dist.Gamma, d *dist.GammaDensity, middle, c, halfSquared, lnWidth float64) (m Moments, ok bool) {
	y := middle / g.Scale
	s := g.Shape - y // the slope of the density of ln x
	if !(halfSquared*(s*s+y+1) <= narrowCells) {
		return m, false
	}
	h := halfSquared
	second, fourth := s*s-y, s*s*(s*s-6*y)+y*(3*y-4*s-1)
	r := h * (second/6 + h*fourth/120)
	first, third := s, s*(s*s-3*y)-y
	// E[x] is the same integral with the slope one higher.
	t := s + 1
	secondX, fourthX := t*t-y, t*t*(t*t-6*y)+y*(3*y-4*t-1)
	rx := h * (secondX/6 + h*fourthX/120)
	return Moments{
		LnMass: d.At(middle, c) + lnWidth + r*(1-r*(1.0/2-r/3)),
		A:      middle * (1 + rx) / (1 + r),
		B:      c + h*(first/3+h*third/30)/(1+r),
	}, true
}
