package em

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// chunk is how many points one worker sums up at a time. The sums of the
// chunks are merged in order, so that the result does not depend on the
// number of workers; it is part of the result's last digits.
const chunk = 8192

// block is for how many points the components' densities are held at a time.
const block = 256

// part is what an E step gathers over one chunk: the log-likelihood of the old
// parameters and each component's share of the sums.
type part struct {
	logLikelihood float64
	sums          []GammaSums
	shares        [][block]float64 // of a block, one row a component
}

// expect is the E step: each component's share of the sums, and the
// log-likelihood.
func (m *Mixture) expect(c []dist.WeightedGamma) ([]GammaSums, float64) {
	lnWeights, densities := make([]float64, len(c)), make([]dist.GammaDensity, len(c))
	for k, x := range c {
		lnWeights[k], densities[k] = math.Log(x.Weight), dist.NewGammaDensity(x.Law)
	}
	par.Each(m.Workers, len(m.parts), func(i int) {
		part := &m.parts[i]
		if len(part.sums) != len(c) {
			part.sums, part.shares = make([]GammaSums, len(c)), make([][block]float64, len(c))
		}
		clear(part.sums)
		part.logLikelihood = 0
		l := make([][]float64, len(c))
		for from, end := i*chunk, min((i+1)*chunk, m.Points.Len()); from < end; from += block {
			w := m.Points.W[from:min(from+block, end)]
			for k := range l {
				l[k] = part.shares[k][:len(w)]
				logDensities(lnWeights[k], densities[k], &m.Points, from, l[k])
			}
			if len(l) == 2 {
				part.logLikelihood = shareTwo(l[0], l[1], w, part.logLikelihood)
			} else {
				part.logLikelihood = share(l, w, part.logLikelihood)
			}
			for k := range l {
				gather(&part.sums[k], &m.Points, from, l[k])
			}
		}
	})
	// A chunk is short enough for plain sums; the sum of the chunks is not.
	var logLikelihood num.Sum
	sums := m.parts[0].sums
	for i := range m.parts {
		logLikelihood.Add(m.parts[i].logLikelihood)
		if i > 0 {
			for k := range sums {
				sums[k].merge(m.parts[i].sums[k])
			}
		}
	}
	return sums, logLikelihood.Value()
}

// share makes each component's share of the jobs w out of its log-densities,
// weighted, and returns the log-likelihood with these points'.
func share(l [][]float64, w []float64, logLikelihood float64) float64 {
	for i, w := range w {
		top := math.Inf(-1)
		for k := range l {
			top = max(top, l[k][i])
		}
		sum := 0.0
		for k := range l {
			e := 1.0
			if l[k][i] != top {
				e = math.Exp(l[k][i] - top)
			}
			l[k][i] = e
			sum += e
		}
		logLikelihood += w * (top + math.Log(sum))
		for k := range l {
			l[k][i] = w * (l[k][i] / sum)
		}
	}
	return logLikelihood
}

// shareTwo is share of two components, where one exponential and one logarithm
// a point suffice.
func shareTwo(l0, l1, w []float64, logLikelihood float64) float64 {
	l0, l1 = l0[:len(w)], l1[:len(w)]
	for i, w := range w {
		// The share of the likelier component is 1/(1+e), e <= 1.
		e := math.Exp(-math.Abs(l0[i] - l1[i]))
		r := 1 / (1 + e)
		logLikelihood += w * (max(l0[i], l1[i]) - math.Log(r))
		r0 := r
		if l0[i] < l1[i] {
			r0 = e * r
		}
		l0[i], l1[i] = w*r0, w*(1-r0)
	}
	return logLikelihood
}
