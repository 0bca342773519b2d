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
func (m *Mixture[L]) grown(k, most int) [][]dist.Weighted[L] {
	one, _ := m.split(nil)
	bases := [][]dist.Weighted[L]{one}
	from := func() (starts [][]dist.Weighted[L]) {
		for _, b := range bases {
			starts = append(starts, m.inserted(b)...)
		}
		return starts
	}
	for len(bases[0]) < k-1 {
		var ends []End[L]
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
func (m *Mixture[L]) inserted(base []dist.Weighted[L]) [][]dist.Weighted[L] {
	type trial struct {
		component     dist.Weighted[L]
		logLikelihood float64
	}
	b := m.still(base)
	var trials []trial
	for i := range growPlaces {
		place := m.place((float64(i) + 0.5) / growPlaces)
		for _, spread := range m.Kernel.Spreads() {
			law, ok := m.Kernel.At(place, spread, base[0].Law)
			if !ok {
				continue
			}
			c, l := m.growAt(b, dist.Weighted[L]{Weight: growWeight, Law: law})
			if !m.dead(c) && !m.Kernel.Narrowest(c.Law) {
				trials = append(trials, trial{c, l})
			}
		}
	}
	slices.SortStableFunc(trials, func(a, b trial) int { return cmp.Compare(b.logLikelihood, a.logLikelihood) })
	var kept []L
	var starts [][]dist.Weighted[L]
	for _, t := range trials {
		if slices.ContainsFunc(kept, func(law L) bool { return m.alike(law, t.component.Law) }) {
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
func (m *Mixture[L]) alike(a, b L) bool {
	x, _ := m.Kernel.Coordinates(a)
	y, _ := m.Kernel.Coordinates(b)
	wa, wb := m.Kernel.Width(a), m.Kernel.Width(b)
	return math.Abs(x-y) < 0.2*(wa+wb) && math.Abs(math.Log(wa/wb)) < 0.5
}

// place is where a share of the jobs lies below.
func (m *Mixture[L]) place(share float64) float64 {
	x := m.Points.Quantile(share)
	if m.Points.Linear {
		return x
	}
	return math.Log(x)
}

// still is a mixture that stands still while a component grows beside it.
type still struct {
	logDensities []float64 // of the points
	below        float64   // the share below the limit
}

func (m *Mixture[L]) still(c []dist.Weighted[L]) still {
	s := still{logDensities: make([]float64, m.Points.Len())}
	l := make([]float64, m.Points.Len())
	for k, x := range c {
		density := m.Kernel.Density(x.Law)
		density.Values(math.Log(x.Weight), &m.Points, 0, l)
		for i := range l {
			if k == 0 {
				s.logDensities[i] = l[i]
			} else {
				s.logDensities[i] = num.LogAddExp(s.logDensities[i], l[i])
			}
		}
		if !math.IsInf(m.Limit, 1) {
			_, share := m.atLimit(density)
			s.below += x.Weight * share
		}
	}
	return s
}

// growAt improves a component c beside a mixture that stands still, and
// returns it and the log-likelihood before the last step. Cells count as the
// values that stand for them.
func (m *Mixture[L]) growAt(base still, c dist.Weighted[L]) (dist.Weighted[L], float64) {
	logLikelihood := math.Inf(-1)
	odds := make([]float64, m.Points.Len()) // of c against the rest, then c's share of the jobs
	for range growSteps {
		logLikelihood = 0
		density := m.Kernel.Density(c.Law)
		density.Values(math.Log(c.Weight/(1-c.Weight)), &m.Points, 0, odds)
		for i, w := range m.Points.W {
			rest := base.logDensities[i]
			o := odds[i] - rest
			e := math.Exp(-math.Abs(o))
			share := 1 / (1 + e)
			logLikelihood += w * (rest + max(o, 0) - math.Log(share))
			if o < 0 {
				share = e * share
			}
			odds[i] = share * w
		}
		logLikelihood += m.jobs * math.Log1p(-c.Weight)
		var s Sums
		density.Gather(&s, &m.Points, 0, odds)
		jobs := m.jobs
		if !math.IsInf(m.Limit, 1) { // as beyond
			above, share := m.atLimit(density)
			below := (1-c.Weight)*base.below + c.Weight*share
			jobs = m.jobs / below
			if w := jobs * c.Weight * math.Exp(above.LnMass); w > 0 {
				s.add(w, above)
			}
			logLikelihood -= m.jobs * math.Log(below)
		}
		c = dist.Weighted[L]{Weight: s.W / jobs, Law: m.Kernel.Maximise(s, c.Law)}
		if m.dead(c) || !(c.Weight < 1) {
			return dist.Weighted[L]{}, math.Inf(-1)
		}
	}
	return c, logLikelihood
}
