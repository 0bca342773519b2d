package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// spans are the cells that a sample's values are known to lie in: beside each
// value of points its cell's ends. A job that was rounded lies in a cell, one
// that was killed in a cell without an end; lo = hi is an exact value.
type spans struct {
	lo, hi []float64
	// What narrow wants: the square of half of the cell's width in ln x, +Inf
	// where it is too wide to try, and ln of its width in x; 0 and 0 for an
	// exact value.
	halfSquared, lnWidth []float64
}

// add adds a cell, and returns the value that stands for it among points and
// its logarithm: the middle in ln x of a closed cell, lo of an endless one,
// half of hi where lo is 0.
func (s *spans) add(lo, hi float64) (x, lnX float64) {
	half, lnWidth := math.Inf(1), 0.0
	switch {
	case lo == hi:
		x, lnX, half = lo, math.Log(lo), 0
	case lo == 0:
		x = hi / 2
		if math.IsInf(hi, 1) {
			x = 1 // all values: it tells nothing
		}
		lnX = math.Log(x)
	case math.IsInf(hi, 1):
		x, lnX = lo, math.Log(lo)
	default:
		half = math.Log1p((hi-lo)/lo) / 2
		lnX = math.Log(lo) + half
		x, lnWidth = math.Exp(lnX), lnX+math.Log(2*half)
	}
	s.lo, s.hi = append(s.lo, lo), append(s.hi, hi)
	s.halfSquared, s.lnWidth = append(s.halfSquared, half*half), append(s.lnWidth, lnWidth)
	return x, lnX
}

// expectCells is the E step where the values are known to lie in cells. Each
// component's share of a cell's jobs is its share of the cell's probability,
// and they are summed with the means of x and ln x that the component has
// inside the cell, so that the likelihood of the cells never falls (Dempster,
// Laird and Rubin 1977, section 4.2, on grouped, censored and truncated data).
func (m *mixture) expectCells(c []component, out *expectation, from, to int) {
	var (
		density  [dist.MaxComponents]dist.GammaDensity
		lnWeight [dist.MaxComponents]float64
		l        [dist.MaxComponents]float64
		moments  [dist.MaxComponents]em.CellMoments
		toDo     [dist.MaxComponents]int
		sums     [dist.MaxComponents]GammaSums
		n        = min(len(c), dist.MaxComponents)
		s        = m.spans
	)
	for k := range n {
		density[k] = dist.NewGammaDensity(c[k].law)
		lnWeight[k] = math.Log(c[k].weight)
	}
	for i := from; i < to; i++ {
		w := m.w[i]
		top := math.Inf(-1)
		wide := 0
		for k := range n {
			var ok bool
			moments[k], ok = em.Narrow(c[k].law, &density[k], m.x[i], m.lnX[i], s.halfSquared[i], s.lnWidth[i])
			if ok {
				l[k] = lnWeight[k] + moments[k].LnMass
				top = max(top, l[k])
				continue
			}
			toDo[wide] = k
			wide++
		}
		for _, k := range toDo[:wide] {
			if most := lnWeight[k] + s.atMost(c[k].law, &density[k], m.x[i], m.lnX[i], i); most < top-em.Negligible {
				l[k] = math.Inf(-1) // too little to count beside another component
				continue
			}
			moments[k] = em.GammaCell(c[k].law, s.lo[i], s.hi[i])
			l[k] = lnWeight[k] + moments[k].LnMass
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
			share := w * (l[k] / sum)
			sums[k].W += share
			sums[k].X += share * moments[k].X
			sums[k].LnX += share * moments[k].LnX
		}
	}
	copy(out.sums, sums[:n])
}

// atMost is a bound on the logarithm of a Gamma's probability of cell i: the
// density of ln x is log-concave, so that it lies below its tangent at the
// middle c of the cell. 0 for an endless cell.
func (s *spans) atMost(g dist.Gamma, d *dist.GammaDensity, middle, c float64, i int) float64 {
	if math.IsInf(s.halfSquared[i], 1) {
		return 0
	}
	return d.At(middle, c) + s.lnWidth[i] + math.Abs(g.Shape-middle/g.Scale)*math.Sqrt(s.halfSquared[i])
}

// beyond adds to the sums the jobs that a law cut at m.limit does not show:
// for each job seen there are, on average, S/F above the limit, S and F being
// the mixture's survival and distribution function there. It returns what the
// cut adds to the log-likelihood, -n ln F.
func (m *mixture) beyond(c []component, sums []GammaSums) float64 {
	below := 0.0
	for _, x := range c {
		below += x.weight * x.law.CDF(m.limit)
	}
	if !(below > 0) {
		return math.Inf(-1)
	}
	for k, x := range c {
		above := em.GammaCell(x.law, m.limit, math.Inf(1))
		if w := m.jobs * x.weight / below * math.Exp(above.LnMass); w > 0 {
			sums[k].W += w
			sums[k].X += w * above.X
			sums[k].LnX += w * above.LnX
		}
	}
	return -m.jobs * math.Log(below)
}

// logLikelihood is that of the components, without a step.
func (m *mixture) logLikelihood(c []component) float64 {
	_, l := m.expect(c)
	return l
}
