package fit

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// normalComponent is one law of a log-normal mixture.
type normalComponent struct {
	weight float64 // share of the jobs, in (0, 1)
	law    dist.LogNormal
}

// normalMixture is the EM problem of a log-normal mixture: normal laws of
// y = ln x. Of its points x is y, the cells are of y, and lnX has no use here.
type normalMixture struct {
	points
	resolution func(y float64) float64 // width of a rounding cell of ln x at y, 0 for none
	limit      float64                 // the law of y is cut here; +Inf for no cut
	workers    int
	jobs       float64             // the sample's total weight
	parts      []normalExpectation // one a chunk
}

// deviations are a component's share of the sums of an E step. Distances are
// from its old mean, which keeps the digits of their squares.
type deviations struct {
	w, d, dd float64
}

type normalExpectation struct {
	logLikelihood float64
	sums          [dist.MaxComponents]deviations
}

func newNormalMixture(p points, resolution func(float64) float64, workers int) *normalMixture {
	m := &normalMixture{points: p, resolution: resolution, limit: math.Inf(1), workers: workers, jobs: p.total()}
	m.parts = make([]normalExpectation, max(1, (p.len()+chunk-1)/chunk))
	return m
}

// narrowestSigma bounds a component's spread where the sample is not rounded:
// none is narrower than 0.3 % of its median.
const narrowestSigma = 0.003

// minSigma is the least standard deviation of a component of mean mu, without
// which a sample with ties has no likelihood of its own: that of a rounding
// cell, width/sqrt(12), as for the Gammas of mixture.maxShape.
func (m *normalMixture) minSigma(mu float64) float64 {
	return max(narrowestSigma, m.resolution(mu)/math.Sqrt(12))
}

// step is one step of EM: it writes improved components to next and returns
// the log-likelihood of the old ones, old. The log-likelihood of next is not
// below it.
func (m *normalMixture) step(old, next []normalComponent) float64 {
	sums, logLikelihood := m.expect(old)
	total := 0.0
	for k := range old {
		total += sums[k].w
	}
	for k := range old {
		next[k] = normalComponent{sums[k].w / total, m.maximise(sums[k], old[k].law)}
	}
	return logLikelihood
}

// maximise is the M step of one component: the mean and spread of its share.
// Where the spread is at its bound, which moves with the mean, the old law can
// be better, and stays: the likelihood must not fall.
func (m *normalMixture) maximise(s deviations, old dist.LogNormal) dist.LogNormal {
	if !(s.w > 0) {
		return old
	}
	shift := s.d / s.w
	law := dist.LogNormal{Mu: old.Mu + shift, Sigma: math.Sqrt(max(0, s.dd/s.w-shift*shift))}
	if least := m.minSigma(law.Mu); law.Sigma < least {
		law.Sigma = least
		// -2 times the log-likelihoods of the share, less a constant.
		now := 2*s.w*math.Log(law.Sigma) + (s.dd-s.w*shift*shift)/(law.Sigma*law.Sigma)
		before := 2*s.w*math.Log(old.Sigma) + s.dd/(old.Sigma*old.Sigma)
		if now > before {
			return old
		}
	}
	return law
}

// expect is the E step: each component's share of the sums, and the
// log-likelihood of y.
func (m *normalMixture) expect(c []normalComponent) (sums [dist.MaxComponents]deviations, logLikelihood float64) {
	par.Each(m.workers, len(m.parts), func(i int) {
		from, to := i*chunk, min((i+1)*chunk, m.len())
		if m.spans != nil {
			m.expectCells(c, &m.parts[i], from, to)
			return
		}
		m.expectChunk(c, &m.parts[i], from, to)
	})
	var l num.Sum
	for i := range m.parts {
		l.Add(m.parts[i].logLikelihood)
		for k := range c {
			s := m.parts[i].sums[k]
			sums[k] = deviations{sums[k].w + s.w, sums[k].d + s.d, sums[k].dd + s.dd}
		}
	}
	if !math.IsInf(m.limit, 1) {
		l.Add(m.beyond(c, &sums))
	}
	return sums, l.Value()
}

func (m *normalMixture) expectChunk(c []normalComponent, out *normalExpectation, from, to int) {
	var (
		constant, mu, rate, d, l [dist.MaxComponents]float64
		n                        = min(len(c), dist.MaxComponents)
	)
	*out = normalExpectation{}
	for k := range n {
		constant[k] = math.Log(c[k].weight) - math.Log(c[k].law.Sigma) - math.Log(2*math.Pi)/2
		mu[k], rate[k] = c[k].law.Mu, 1/c[k].law.Sigma
	}
	for i := from; i < to; i++ {
		y, w := m.x[i], m.w[i]
		top := math.Inf(-1)
		for k := range n {
			d[k] = y - mu[k]
			z := d[k] * rate[k]
			l[k] = constant[k] - z*z/2
			top = max(top, l[k])
		}
		sum := 0.0
		for k := range n {
			l[k] = math.Exp(l[k] - top)
			sum += l[k]
		}
		out.logLikelihood += w * (top + math.Log(sum))
		for k := range n {
			share := w * (l[k] / sum)
			s := &out.sums[k]
			s.w += share
			s.d += share * d[k]
			s.dd += share * d[k] * d[k]
		}
	}
}

// run improves the components of start until they stand still, as accelerate
// says.
func (m *normalMixture) run(start []normalComponent, limits emLimits, observe func(logLikelihood float64)) emResult[normalComponent] {
	var r emResult[normalComponent]
	at := accelerate(start, limits, emSteps[normalComponent]{
		step:     m.step,
		lost:     func(c []normalComponent) bool { return slices.ContainsFunc(c, m.dead) },
		distance: func(a, b []normalComponent) float64 { return largestStep(coordinatesOf(a), coordinatesOf(b)) },
		extrapolate: func(a, b, c, out []normalComponent) bool {
			return m.extrapolate(coordinatesOf(a), coordinatesOf(b), coordinatesOf(c), out)
		},
	}, observe, &r.emEnd)
	r.components = at
	slices.SortStableFunc(r.components, func(a, b normalComponent) int {
		switch {
		case a.law.Mu < b.law.Mu:
			return -1
		case a.law.Mu > b.law.Mu:
			return 1
		}
		return 0
	})
	return r
}

func (m *normalMixture) dead(c normalComponent) bool { return !(c.weight*m.jobs >= fewestJobs) }
