package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// lnSqrt2Pi is ln sqrt(2π).
const lnSqrt2Pi = 0.918938533204672741780329736405617640

// normalCell returns the probability of the cell from a to b under the standard
// normal law, and the means of z and z² inside it, a < b; either may be
// infinite. As for GammaCell, no two distribution functions are subtracted: the
// density is integrated outwards from its highest point in the cell, in panels over which it falls by a factor of e^4
// or so, with a relative error of about 1e-13 in both tails.
func normalCell(a, b float64) Moments {
	top := min(max(0, a), b)
	s := normalSum{top: top}
	s.side(1, b-top)
	s.side(-1, top-a)
	d, dd := s.d/s.mass, s.dd/s.mass
	m := Moments{min(0, math.Log(s.mass)-top*top/2-lnSqrt2Pi), top + d, top*top + 2*top*d + dd}
	if v := m.A + m.B; math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(m.LnMass) {
		return Moments{LnMass: math.Inf(-1)} // beyond what a float64 can hold
	}
	return m
}

// normalSum integrates the standard normal density over its value at top, and
// that times the distance d from there and times d².
type normalSum struct {
	top         float64
	mass, d, dd float64
}

// side adds the integral from top to a distance in one direction, 1 or -1, in
// which the density falls.
func (s *normalSum) side(direction, to float64) {
	for at, n := 0.0, 0; at < to && n < mostPanels; n++ {
		// Over a panel the density falls by slope w + w²/2.
		slope := max(0, direction*s.top+at)
		w := min(8/(slope+math.Sqrt(slope*slope+8)), to-at)
		s.panel(direction*(at+w/2), w/2)
		at += w
		if at*(direction*s.top+at/2) > negligible {
			return
		}
	}
}

// panel adds the integral over centre ± half.
func (s *normalSum) panel(centre, half float64) {
	for i, node := range num.GaussNodes {
		for _, d := range [2]float64{centre - half*node, centre + half*node} {
			f := half * num.GaussWeights[i] * math.Exp(-d*(s.top+d/2))
			s.mass += f
			s.d += f * d
			s.dd += f * d * d
		}
	}
}

// narrowNormal is normalCell for a cell so small that the density hardly
// changes in it: the Hermite series about its middle c, half of the cell's
// width being half. LnMass is without ln of the width. A half of 0 stands for
// an exact value, with its density in the place of a mass. ok is false where
// the cell is too wide.
func narrowNormal(c, half float64) (m Moments, ok bool) {
	h, cc := half*half, c*c
	if !(h*(cc+1) <= narrowCells) {
		return m, false
	}
	r := h * ((cc-1)/6 + h*(cc*(cc-6)+3)/120)
	u := -c * h * (1.0/3 + h*(cc-3)/30) / (1 + r)
	uu := h * (1.0/3 + h*(cc-1)/10) / (1 + r)
	return Moments{
		LnMass: -cc/2 - lnSqrt2Pi + r*(1-r*(1.0/2-r/3)),
		A:      c + u,
		B:      cc + 2*c*u + uu,
	}, true
}
