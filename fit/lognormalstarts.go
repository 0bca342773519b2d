package fit

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// starts are as those of mixture.starts.
func (m *normalMixture) starts(k int) (list [][]normalComponent, byModes bool) {
	list, byModes = splitStarts(m.points, k, m.split)
	return list, byModes
}

// split returns the components that fit the parts of the sample between the
// cuts (a value at a cut belongs below it); false if a part is empty.
func (m *normalMixture) split(cuts []float64) ([]normalComponent, bool) {
	sums := make([]LogNormalSums, len(cuts)+1)
	for i, y := range m.x {
		k := 0
		for k < len(cuts) && y > cuts[k] {
			k++
		}
		sums[k].Merge(LogNormalSums{W: m.w[i], Mean: y})
	}
	start := make([]normalComponent, len(sums))
	for k, s := range sums {
		if !(s.W > 0) {
			return nil, false
		}
		start[k].weight = s.W / m.jobs
		start[k].law = dist.LogNormal{Mu: s.Mean, Sigma: max(math.Sqrt(s.Squares/s.W), m.minSigma(s.Mean))}
	}
	return start, true
}

// Where components are grown: one is tried at so many equal shares of the
// jobs, from each of these spreads of ln x, for so many steps of EM in which
// the others stand still; the best few are kept. A narrow peak with more than
// 1/growPlaces of the jobs has a place of its own.
const (
	growPlaces = 32
	growSteps  = 12
	growKept   = 12
	growBases  = 6 // mixtures of one component less that are grown from
)

var growSigmas = [...]float64{0.02, 0.15, 0.6}

// grow returns starts with k components: mixtures of one, two, ... components
// are the best ends from those before and one more component (Verbeek, Vlassis
// and Kröse 2003, "Efficient greedy learning of Gaussian mixture models", who
// keep the best one only). On logs with narrow peaks, splits of the sample end
// thousands below in log-likelihood. There are none where a component dies.
func (m *normalMixture) grow(k int) [][]normalComponent {
	one, _ := m.split(nil)
	bases := [][]normalComponent{one}
	from := func() (starts [][]normalComponent) {
		for _, b := range bases {
			starts = append(starts, m.inserted(b)...)
		}
		return starts
	}
	for len(bases[0]) < k-1 {
		var ends []emResult[normalComponent]
		for _, start := range from() {
			end := m.run(start, roughLimits(), nil)
			if end.status != ComponentLost && !m.atBound(end.components) {
				ends = append(ends, end)
			}
		}
		if len(ends) == 0 {
			return nil
		}
		slices.SortStableFunc(ends, func(a, b emResult[normalComponent]) int { return cmp.Compare(b.logLikelihood, a.logLikelihood) })
		bases = nil
		last := math.NaN()
		for _, e := range ends {
			if math.Abs(e.logLikelihood-last) <= 1e-7*math.Abs(last) {
				continue // the same end again
			}
			last = e.logLikelihood
			if bases = append(bases, e.components); len(bases) == growBases {
				break
			}
		}
	}
	return from()
}

// inserted returns the mixtures of base and one more component that are most
// likely with base standing still.
func (m *normalMixture) inserted(base []normalComponent) [][]normalComponent {
	type trial struct {
		component     normalComponent
		logLikelihood float64
	}
	lnBase := m.logDensities(base)
	var trials []trial
	for place := range growPlaces {
		mu := m.quantile((float64(place) + 0.5) / growPlaces)
		for _, sigma := range growSigmas {
			c, l := m.growAt(lnBase, normalComponent{0.1, dist.LogNormal{Mu: mu, Sigma: max(sigma, m.minSigma(mu))}})
			if !m.dead(c) && !m.narrowest(c) {
				trials = append(trials, trial{c, l})
			}
		}
	}
	slices.SortStableFunc(trials, func(a, b trial) int { return cmp.Compare(b.logLikelihood, a.logLikelihood) })
	var kept []normalComponent
	var starts [][]normalComponent
	for _, t := range trials {
		alike := func(c normalComponent) bool {
			return math.Abs(c.law.Mu-t.component.law.Mu) < 0.2*(c.law.Sigma+t.component.law.Sigma) &&
				math.Abs(math.Log(c.law.Sigma/t.component.law.Sigma)) < 0.5
		}
		if slices.ContainsFunc(kept, alike) {
			continue
		}
		start := slices.Clone(base)
		for i := range start {
			start[i].weight *= 1 - t.component.weight
		}
		kept, starts = append(kept, t.component), append(starts, append(start, t.component))
		if len(kept) == growKept {
			break
		}
	}
	return starts
}

// growAt improves a component c beside a mixture that stands still, whose
// log-densities are lnBase, and returns it and the log-likelihood before the
// last step.
func (m *normalMixture) growAt(lnBase []float64, c normalComponent) (normalComponent, float64) {
	logLikelihood := math.Inf(-1)
	for range growSteps {
		logLikelihood = 0
		constant := math.Log(c.weight/(1-c.weight)) - math.Log(c.law.Sigma) - math.Log(2*math.Pi)/2
		var s deviations
		for i, y := range m.x {
			d := y - c.law.Mu
			z := d / c.law.Sigma
			// The odds of c against the rest.
			odds := constant - z*z/2 - lnBase[i]
			e := math.Exp(-math.Abs(odds))
			share := 1 / (1 + e)
			logLikelihood += m.w[i] * (lnBase[i] + max(odds, 0) - math.Log(share))
			if odds < 0 {
				share = e * share
			}
			share *= m.w[i]
			s.w += share
			s.d += share * d
			s.dd += share * d * d
		}
		logLikelihood += m.jobs * math.Log1p(-c.weight)
		c = normalComponent{s.w / m.jobs, m.maximise(s, c.law)}
		if m.dead(c) || !(c.weight < 1) {
			return normalComponent{}, math.Inf(-1)
		}
	}
	return c, logLikelihood
}

// logDensities are those of ln x under the mixture.
func (m *normalMixture) logDensities(c []normalComponent) []float64 {
	out := make([]float64, m.len())
	for i, y := range m.x {
		sum := math.Inf(-1)
		for _, x := range c {
			z := (y - x.law.Mu) / x.law.Sigma
			sum = num.LogAddExp(sum, math.Log(x.weight/x.law.Sigma)-math.Log(2*math.Pi)/2-z*z/2)
		}
		out[i] = sum
	}
	return out
}

// quantile is the value below which a share of the jobs lies.
func (m *normalMixture) quantile(share float64) float64 {
	want, sum := share*m.jobs, 0.0
	for i, w := range m.w {
		if sum += w; sum >= want {
			return m.x[i]
		}
	}
	return m.x[m.len()-1]
}
