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
	shares        [][]float64 // of a block, one row a component
}

// begin empties a part for k components and blocks of n points.
func (p *part) begin(k, n int) {
	if len(p.sums) != k {
		p.sums, p.shares = make([]GammaSums, k), make([][]float64, k)
		for i := range p.shares {
			p.shares[i] = make([]float64, n)
		}
	}
	p.logLikelihood = 0
	clear(p.sums)
}

// weighted is a component in an E step.
type weighted struct {
	lnWeight float64
	gammaDensity
}

// expect is the E step: each component's share of the sums, and the
// log-likelihood.
func (m *Mixture) expect(c []dist.WeightedGamma) ([]GammaSums, float64) {
	components := make([]weighted, len(c))
	for k, x := range c {
		components[k] = weighted{math.Log(x.Weight), newGammaDensity(x.Law)}
	}
	par.Each(m.Workers, len(m.parts), func(i int) {
		part := &m.parts[i]
		from, to := i*chunk, min((i+1)*chunk, m.Points.Len())
		part.begin(len(c), min(block, to-from))
		m.expectValues(components, part, from, to)
	})
	// A chunk is short enough for plain sums; the sum of the chunks is not.
	var logLikelihood num.Sum
	sums := m.parts[0].sums
	for i := range m.parts {
		logLikelihood.Add(m.parts[i].logLikelihood)
		if i > 0 {
			for k := range sums {
				sums[k].Merge(m.parts[i].sums[k])
			}
		}
	}
	return sums, logLikelihood.Value()
}

// expectValues is the E step over some of the values.
func (m *Mixture) expectValues(components []weighted, out *part, from, to int) {
	for ; from < to; from += block {
		w := m.Points.W[from:min(from+block, to)]
		for k, c := range components {
			out.shares[k] = out.shares[k][:len(w)]
			c.values(c.lnWeight, &m.Points, from, out.shares[k])
		}
		if len(components) == 2 {
			out.logLikelihood = shareTwo(out.shares[0], out.shares[1], w, out.logLikelihood)
		} else {
			out.logLikelihood = share(out.shares, w, out.logLikelihood)
		}
		for k := range components {
			gather(&out.sums[k], &m.Points, from, out.shares[k])
		}
	}
	for k, s := range out.shares {
		out.shares[k] = s[:cap(s)]
	}
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
