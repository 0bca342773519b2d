package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// normalCell is what a normal law of y = ln x says of a cell [lo, hi): the
// logarithm of its probability, and the means of z and z² inside it, where
// z = (y - mu)/sigma.
type normalCell struct {
	lnMass, z, zz float64
}

// lnSqrt2Pi is ln sqrt(2π).
const lnSqrt2Pi = 0.918938533204672741780329736405617640

// normalCellOf returns what the standard normal law says of the cell from a to
// b, a < b; either may be infinite. As for em.GammaCell, no two distribution
// functions are subtracted: the density is integrated outwards from its
// highest point in the cell, in panels over which it falls by a factor of e^4
// or so, with a relative error of about 1e-13 in both tails.
func normalCellOf(a, b float64) normalCell {
	top := min(max(0, a), b)
	s := normalSum{top: top}
	s.side(1, b-top)
	s.side(-1, top-a)
	d, dd := s.d/s.mass, s.dd/s.mass
	c := normalCell{min(0, math.Log(s.mass)-top*top/2-lnSqrt2Pi), top + d, top*top + 2*top*d + dd}
	if v := c.z + c.zz; math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(c.lnMass) {
		return normalCell{lnMass: math.Inf(-1)} // beyond what a float64 can hold
	}
	return c
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
	for at, n := 0.0, 0; at < to && n < em.MostPanels; n++ {
		// Over a panel the density falls by slope w + w²/2.
		slope := max(0, direction*s.top+at)
		w := min(8/(slope+math.Sqrt(slope*slope+8)), to-at)
		s.panel(direction*(at+w/2), w/2)
		at += w
		if at*(direction*s.top+at/2) > em.Negligible {
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

// narrowNormal is normalCellOf for a cell so small that the density hardly
// changes in it: the Hermite series about its middle c, half of the cell's
// width being half. lnMass is without ln of the width. A half of 0 stands for
// an exact value, with its density in the place of a mass. ok is false where
// the cell is too wide.
func narrowNormal(c, half float64) (m normalCell, ok bool) {
	h, cc := half*half, c*c
	if !(h*(cc+1) <= em.NarrowCells) {
		return m, false
	}
	r := h * ((cc-1)/6 + h*(cc*(cc-6)+3)/120)
	u := -c * h * (1.0/3 + h*(cc-3)/30) / (1 + r)
	uu := h * (1.0/3 + h*(cc-1)/10) / (1 + r)
	return normalCell{
		lnMass: -cc/2 - lnSqrt2Pi + r*(1-r*(1.0/2-r/3)),
		z:      c + u, zz: cc + 2*c*u + uu,
	}, true
}

// expectCells is expectChunk where the values are known to lie in cells of y;
// see mixture.expectCells.
func (m *normalMixture) expectCells(c []normalComponent, out *normalExpectation, from, to int) {
	var (
		lnWeight, rate, l [dist.MaxComponents]float64
		cell              [dist.MaxComponents]normalCell
		toDo              [dist.MaxComponents]int
		n                 = min(len(c), dist.MaxComponents)
		s                 = m.spans
	)
	*out = normalExpectation{}
	for k := range n {
		lnWeight[k], rate[k] = math.Log(c[k].weight), 1/c[k].law.Sigma
	}
	for i := from; i < to; i++ {
		w, half := m.w[i], math.Sqrt(s.halfSquared[i])
		top, wide := math.Inf(-1), 0
		for k := range n {
			var ok bool
			cell[k], ok = narrowNormal((m.x[i]-c[k].law.Mu)*rate[k], half*rate[k])
			if !ok {
				toDo[wide] = k
				wide++
				continue
			}
			l[k] = lnWeight[k] + cell[k].lnMass + s.lnWidth[i] + math.Log(rate[k])
			top = max(top, l[k])
		}
		for _, k := range toDo[:wide] {
			mu := c[k].law.Mu
			// The density of y lies below its tangent at the middle, in logs.
			if z := (m.x[i] - mu) * rate[k]; !math.IsInf(half, 1) &&
				lnWeight[k]+math.Log(rate[k])-z*z/2-lnSqrt2Pi+s.lnWidth[i]+math.Abs(z)*half*rate[k] < top-em.Negligible {
				l[k] = math.Inf(-1)
				continue
			}
			cell[k] = normalCellOf((s.lo[i]-mu)*rate[k], (s.hi[i]-mu)*rate[k])
			l[k] = lnWeight[k] + cell[k].lnMass
			top = max(top, l[k])
		}
		if math.IsInf(top, -1) {
			out.logLikelihood = top
			continue // no component gives it anything: it moves none
		}
		sum := 0.0
		for k := range n {
			l[k] = math.Exp(l[k] - top)
			sum += l[k]
		}
		out.logLikelihood += w * (top + math.Log(sum))
		for k := range n {
			out.sums[k].addCell(w*(l[k]/sum), cell[k], c[k].law.Sigma)
		}
	}
}

// addCell adds a share of jobs, where z and zz are those of the component's
// old law.
func (s *deviations) addCell(share float64, c normalCell, sigma float64) {
	if !(share > 0) {
		return
	}
	s.w += share
	s.d += share * sigma * c.z
	s.dd += share * sigma * sigma * c.zz
}

// beyond adds to the sums the jobs that a law cut at m.limit does not show, and
// returns what the cut adds to the log-likelihood, as mixture.beyond does.
func (m *normalMixture) beyond(c []normalComponent, sums *[dist.MaxComponents]deviations) float64 {
	below := 0.0
	for _, x := range c {
		below += x.weight * math.Exp(normalCellOf(math.Inf(-1), (m.limit-x.law.Mu)/x.law.Sigma).lnMass)
	}
	if !(below > 0) {
		return math.Inf(-1)
	}
	for k, x := range c {
		above := normalCellOf((m.limit-x.law.Mu)/x.law.Sigma, math.Inf(1))
		sums[k].addCell(m.jobs*x.weight/below*math.Exp(above.lnMass), above, x.law.Sigma)
	}
	return -m.jobs * math.Log(below)
}

// logLikelihood is that of the components, of y, without a step.
func (m *normalMixture) logLikelihood(c []normalComponent) float64 {
	_, l := m.expect(c)
	return l
}
