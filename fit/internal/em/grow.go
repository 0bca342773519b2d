package em

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// Where components are grown: one is tried at so many equal shares of the
// jobs, from each of the kernel's spreads, for so many steps of EM in which
// the others stand still; the best few are kept. A narrow peak with more than
// 1/growPlaces of the jobs has a place of its own.
const (
	growPlaces = 32
	growSteps  = 12
	growKept   = 12
	growWeight = 0.1
)

// grown returns starts with k components: mixtures of one, two, ... components
// are the best ends from those before and one more component (Verbeek, Vlassis
// and Kröse 2003, "Efficient greedy learning of Gaussian mixture models", who
// keep the best one only; here it is as many as most). On logs with narrow
// peaks, splits of the sample end thousands below in log-likelihood. There are
// none where a component dies.
func (m *Mixture) grown(k, most int) [][]dist.WeightedGamma {
	one, _ := m.split(nil)
	bases := [][]dist.WeightedGamma{one}
	from := func() (starts [][]dist.WeightedGamma) {
		for _, b := range bases {
			starts = append(starts, m.inserted(b)...)
		}
		return starts
	}
	for len(bases[0]) < k-1 {
		var ends []End
		for _, start := range from() {
			end := m.Run(start, Rough())
			if end.Ending != ComponentLost {
				ends = append(ends, end)
			}
		}
		if len(ends) == 0 {
			return nil
		}
		slices.SortStableFunc(ends, likelier)
		bases = nil
		last := math.NaN()
		for _, e := range ends {
			// Of the likeliest alone it does not matter that it may be an atom.
			if same(e.LogLikelihood, last) || len(bases) > 0 && m.AtBound(e.Components) {
				continue
			}
			last = e.LogLikelihood
			if bases = append(bases, e.Components); len(bases) == most {
				break
			}
		}
	}
	return from()
}

// inserted returns the mixtures of base and one more component that are most
// likely with base standing still.
func (m *Mixture) inserted(base []dist.WeightedGamma) [][]dist.WeightedGamma {
	type trial struct {
		component     dist.WeightedGamma
		logLikelihood float64
	}
	b := m.still(base)
	var trials []trial
	spreads := []float64{math.Inf(-1), -math.Log(100)} // the narrowest, and a tenth of the mean
	if m.Laws.Shaped {
		spreads = spreads[:1] // the shape is the base's
	}
	for i := range growPlaces {
		place := math.Log(m.Points.Quantile((float64(i) + 0.5) / growPlaces))
		for _, spread := range spreads {
			law, ok := m.Laws.at(place, spread, base[0].Law)
			if !ok {
				continue
			}
			c, l := m.growAt(b, dist.WeightedGamma{Weight: growWeight, Law: law})
			if !m.dead(c) && !m.Laws.Narrowest(c.Law) {
				trials = append(trials, trial{c, l})
			}
		}
	}
	slices.SortStableFunc(trials, func(a, b trial) int { return cmp.Compare(b.logLikelihood, a.logLikelihood) })
	var kept []dist.Gamma
	var starts [][]dist.WeightedGamma
	for _, t := range trials {
		if slices.ContainsFunc(kept, func(law dist.Gamma) bool { return alike(law, t.component.Law) }) {
			continue
		}
		start := slices.Clone(base)
		for i := range start {
			start[i].Weight *= 1 - t.component.Weight
		}
		kept, starts = append(kept, t.component.Law), append(starts, append(start, t.component))
		if len(kept) == growKept {
			break
		}
	}
	return starts
}

// alike says whether two laws are too close to start from both.
func alike(a, b dist.Gamma) bool {
	wa, wb := 1/math.Sqrt(a.Shape), 1/math.Sqrt(b.Shape) // relative standard deviations
	return math.Abs(math.Log(a.Mean())-math.Log(b.Mean())) < 0.2*(wa+wb) && math.Abs(math.Log(wa/wb)) < 0.5
}

// still are the log-densities of the points in a mixture that stands still while a
// component grows beside it.
func (m *Mixture) still(c []dist.WeightedGamma) []float64 {
	sum, l := make([]float64, m.Points.Len()), make([]float64, m.Points.Len())
	for k, x := range c {
		logDensities(math.Log(x.Weight), dist.NewGammaDensity(x.Law), &m.Points, 0, l)
		for i := range l {
			if k == 0 {
				sum[i] = l[i]
			} else {
				sum[i] = num.LogAddExp(sum[i], l[i])
			}
		}
	}
	return sum
}

// growAt improves a component c beside a mixture that stands still, whose
// log-densities are base's, and returns it and the log-likelihood before the last step.
func (m *Mixture) growAt(base []float64, c dist.WeightedGamma) (dist.WeightedGamma, float64) {
	logLikelihood := math.Inf(-1)
	odds := make([]float64, m.Points.Len()) // of c against the rest, then c's share of the jobs
	for range growSteps {
		logLikelihood = 0
		logDensities(math.Log(c.Weight/(1-c.Weight)), dist.NewGammaDensity(c.Law), &m.Points, 0, odds)
		for i, w := range m.Points.W {
			rest := base[i]
			o := odds[i] - rest
			e := math.Exp(-math.Abs(o))
			share := 1 / (1 + e)
			logLikelihood += w * (rest + max(o, 0) - math.Log(share))
			if o < 0 {
				share = e * share
			}
			odds[i] = share * w
		}
		logLikelihood += m.Jobs * math.Log1p(-c.Weight)
		var s GammaSums
		gather(&s, &m.Points, 0, odds)
		c = dist.WeightedGamma{Weight: s.W / m.Jobs, Law: m.Laws.maximise(s, c.Law)}
		if m.dead(c) || !(c.Weight < 1) {
			return dist.WeightedGamma{}, math.Inf(-1)
		}
	}
	return c, logLikelihood
}
