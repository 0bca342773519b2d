package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// points is a sample as EM wants it: distinct values of x > 0 in ascending
// order, their logarithms, and how many jobs have each. Where the values are
// not exact, spans has the cell of each; it is nil otherwise.
type points struct {
	x, lnX, w []float64
	spans     *spans
}

func newPoints(x, w []float64) points {
	lnX := make([]float64, len(x))
	for i, v := range x {
		lnX[i] = math.Log(v)
	}
	return points{x: x, lnX: lnX, w: w}
}

func (p points) len() int { return len(p.x) }

func (p points) total() float64 {
	sum := 0.0
	for _, w := range p.w {
		sum += w
	}
	return sum
}

// component is one Gamma of a mixture.
type component struct {
	weight float64 // share of the jobs, in (0, 1)
	law    dist.Gamma
}

// chunk is how many points one worker sums up at a time. The sums of the
// chunks are merged in order, so that the result does not depend on the
// number of workers; it is part of the result's last digits.
const chunk = 8192

// mixture is the EM problem of a Gamma mixture: a sample, and what bounds the
// components.
type mixture struct {
	points
	resolution func(x float64) float64 // width of a rounding cell at x, 0 for none
	fixed      bool                    // the weights are given, not estimated
	shaped     bool                    // the shapes are given: those of the start
	limit      float64                 // the law is cut here; 0 for no cut
	workers    int
	jobs       float64       // the sample's total weight
	parts      []expectation // one a chunk
}

// expectation is what one E step gathers: the log-likelihood of the old
// parameters and each component's share of the sums.
type expectation struct {
	logLikelihood float64
	sums          []GammaSums
}

func (e *expectation) reset() {
	e.logLikelihood = 0
	clear(e.sums)
}

func newMixture(p points, k int, resolution func(float64) float64, workers int) *mixture {
	m := &mixture{points: p, resolution: resolution, workers: workers, jobs: p.total()}
	m.parts = make([]expectation, max(1, (p.len()+chunk-1)/chunk))
	for i := range m.parts {
		m.parts[i].sums = make([]GammaSums, k)
	}
	return m
}

// step is one step of EM: it writes improved components to next and returns
// the log-likelihood of the old ones, old. The log-likelihood of next is not
// below it.
func (m *mixture) step(old, next []component) float64 {
	sums, logLikelihood := m.expect(old)
	w := 0.0
	for _, s := range sums {
		w += s.W
	}
	for k, s := range sums {
		next[k].law = m.maximise(s, old[k].law)
		if m.fixed {
			next[k].weight = old[k].weight
		} else {
			next[k].weight = s.W / w
		}
	}
	return logLikelihood
}

// maximise is the M step of one component: the Gamma of maximum likelihood,
// bounded as maxShape says. Where the bound has become tighter because the
// mean moved, the old law can be better, and stays: the likelihood must not
// fall.
func (m *mixture) maximise(s GammaSums, old dist.Gamma) dist.Gamma {
	if !(s.W > 0) {
		return old
	}
	if m.shaped {
		return dist.Gamma{Shape: old.Shape, Scale: s.Mean() / old.Shape}
	}
	law, bound := m.bounded(s)
	if bound && s.LogLikelihood(law) < s.LogLikelihood(old) {
		return old
	}
	return law
}

// bounded is the Gamma of maximum likelihood whose shape is at most maxShape
// of its mean; bound says that it would be higher.
func (m *mixture) bounded(s GammaSums) (law dist.Gamma, bound bool) {
	mean := s.Mean()
	shape := gammaShape(math.Log(mean) - s.LnX/s.W)
	if limit := m.maxShape(mean); shape > limit {
		shape, bound = limit, true
	}
	return dist.Gamma{Shape: shape, Scale: mean / shape}, bound
}

// highestShape bounds a component's relative spread, 1/sqrt(shape), where
// the sample is not rounded: no component is narrower than 0.3 % of its mean.
// The highest published shape is 6,190 (Lublin and Feitelson 2003, table 4).
const highestShape = 1e5

// maxShape is the bound on the shape of a component of that mean. Without it
// the likelihood of a sample with ties has no maximum: a component that
// shrinks onto one value gains without end. Its standard deviation,
// mean/sqrt(shape), is kept at or above that of a rounding cell at its mean,
// width/sqrt(12): rounded data know nothing of narrower things. For ln of
// seconds, rounded to 1 s, this is 0.14 at 2 s and 0.00029 at 1000 s, where
// highestShape is the tighter bound.
func (m *mixture) maxShape(mean float64) float64 {
	width := m.resolution(mean)
	return min(highestShape, 12*(mean/width)*(mean/width))
}

// expect is the E step: each component's share of the sums, and the
// log-likelihood.
func (m *mixture) expect(c []component) ([]GammaSums, float64) {
	par.Each(m.workers, len(m.parts), func(i int) {
		part := &m.parts[i]
		part.reset()
		from, to := i*chunk, min((i+1)*chunk, m.len())
		switch {
		case m.spans != nil:
			m.expectCells(c, part, from, to)
		case len(c) == 2:
			m.expectTwo(c, part, from, to)
		default:
			m.expectMany(c, part, from, to)
		}
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
	if m.limit > 0 {
		logLikelihood.Add(m.beyond(c, sums))
	}
	return sums, logLikelihood.Value()
}

// expectTwo is the E step of two components, where one exponential and one
// logarithm a point suffice.
func (m *mixture) expectTwo(c []component, out *expectation, from, to int) {
	d0, d1 := dist.NewGammaDensity(c[0].law), dist.NewGammaDensity(c[1].law)
	w0, w1 := math.Log(c[0].weight), math.Log(c[1].weight)
	var s0, s1 GammaSums
	for i := from; i < to; i++ {
		x, lnX, w := m.x[i], m.lnX[i], m.w[i]
		l0, l1 := w0+d0.At(x, lnX), w1+d1.At(x, lnX)
		// The share of the likelier component is 1/(1+e), e <= 1.
		e := math.Exp(-math.Abs(l0 - l1))
		r := 1 / (1 + e)
		out.logLikelihood += w * (max(l0, l1) - math.Log(r))
		r0 := r
		if l0 < l1 {
			r0 = e * r
		}
		s0.add(x, lnX, w*r0)
		s1.add(x, lnX, w*(1-r0))
	}
	out.sums[0], out.sums[1] = s0, s1
}

func (m *mixture) expectMany(c []component, out *expectation, from, to int) {
	var (
		density  [dist.MaxComponents]dist.GammaDensity
		lnWeight [dist.MaxComponents]float64
		l        [dist.MaxComponents]float64
		sums     [dist.MaxComponents]GammaSums
		n        = min(len(c), dist.MaxComponents)
	)
	for k := range n {
		density[k] = dist.NewGammaDensity(c[k].law)
		lnWeight[k] = math.Log(c[k].weight)
	}
	for i := from; i < to; i++ {
		x, lnX, w := m.x[i], m.lnX[i], m.w[i]
		top := math.Inf(-1)
		for k := range n {
			l[k] = lnWeight[k] + density[k].At(x, lnX)
			top = max(top, l[k])
		}
		sum := 0.0
		for k := range n {
			l[k] = math.Exp(l[k] - top)
			sum += l[k]
		}
		out.logLikelihood += w * (top + math.Log(sum))
		for k := range n {
			sums[k].add(x, lnX, w*(l[k]/sum))
		}
	}
	copy(out.sums, sums[:n])
}
