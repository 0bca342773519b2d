package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// expectCells is the E step where the values are known to lie in cells. Each
// component's share of a cell's jobs is its share of the cell's probability,
// and they are summed with the means of the statistics that the component has
// inside the cell, so that the likelihood of the cells never falls (Dempster,
// Laird and Rubin 1977, section 4.2, on grouped, censored and truncated data).
func (m *Mixture[L]) expectCells(components []weighted, out *part, from, to int) {
	var (
		l       [dist.MaxComponents]float64
		moments [dist.MaxComponents]Moments
		toDo    [dist.MaxComponents]int
		n       = min(len(components), dist.MaxComponents)
		p       = &m.Points
	)
	components = components[:n]
	for i := from; i < to; i++ {
		top := math.Inf(-1)
		wide := 0
		for k, c := range components {
			var ok bool
			if moments[k], ok = c.Narrow(p, i); ok {
				l[k] = c.lnWeight + moments[k].LnMass
				top = max(top, l[k])
				continue
			}
			toDo[wide] = k
			wide++
		}
		for _, k := range toDo[:wide] {
			c := components[k]
			if c.lnWeight+c.AtMost(p, i) < top-negligible {
				l[k] = math.Inf(-1) // too little to count beside another component
				continue
			}
			moments[k] = c.Cell(p.Lo[i], p.Hi[i])
			l[k] = c.lnWeight + moments[k].LnMass
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
		out.logLikelihood += p.W[i] * (top + math.Log(sum))
		for k := range n {
			out.sums[k].add(p.W[i]*(l[k]/sum), moments[k])
		}
	}
}

// add adds jobs of a cell.
func (s *Sums) add(jobs float64, m Moments) {
	s.W += jobs
	s.A += jobs * m.A
	s.B += jobs * m.B
}

// beyond adds to the sums the jobs that a law cut at the limit does not show:
// for each job seen there are, on average, S/F above the limit, S and F being
// the mixture's survival and distribution function there. It returns what the
// cut adds to the log-likelihood, -n ln F.
func (m *Mixture[L]) beyond(c []dist.Weighted[L], components []weighted, sums []Sums) float64 {
	below := 0.0
	above := make([]Moments, len(c))
	for k, x := range c {
		moments, share := m.atLimit(components[k])
		above[k] = moments
		below += x.Weight * share
	}
	if !(below > 0) {
		return math.Inf(-1)
	}
	for k, x := range c {
		if w := m.jobs * x.Weight / below * math.Exp(above[k].LnMass); w > 0 {
			sums[k].add(w, above[k])
		}
	}
	return -m.jobs * math.Log(below)
}

// atLimit returns what a law says of the values above the limit, and its
// probability below. Only where that is the smaller of the two is it integrated:
// the limit is mostly far up the tail, whose integral is short.
func (m *Mixture[L]) atLimit(law Density) (above Moments, below float64) {
	above = law.Cell(m.Limit, math.Inf(1))
	if above.LnMass < -math.Ln2 {
		return above, -math.Expm1(above.LnMass)
	}
	return above, math.Exp(law.Cell(m.Points.Bottom(), m.Limit).LnMass)
}
