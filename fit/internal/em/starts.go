package em

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// splitShares are the shares below the cut, for two components, of the
// restarts: where the histogram has no two modes, or its minimum is a bad
// place to start from.
var splitShares = [...]float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}

// Starts returns the starts of EM with k components, without repetitions, but
// for those that grown adds: the split of the sample at the minima between the
// modes of its histogram, where there are as many modes, comes first, and
// byModes says so; splits at shares of the jobs follow.
func (m *Mixture) Starts(k int) (list [][]dist.WeightedGamma, byModes bool) {
	if k == 1 {
		c, _ := m.split(nil)
		return [][]dist.WeightedGamma{c}, true
	}
	return m.splits(k)
}

// splits are the components of the sample cut at the minima between its modes,
// if there are as many, which byModes says, and at shares of its jobs.
func (m *Mixture) splits(k int) (list [][]dist.WeightedGamma, byModes bool) {
	var seen [][]float64
	add := func(cuts []float64) bool {
		if cuts == nil || slices.ContainsFunc(seen, func(c []float64) bool { return slices.Equal(c, cuts) }) {
			return false
		}
		seen = append(seen, cuts)
		c, ok := m.split(cuts)
		if ok {
			list = append(list, c)
		}
		return ok
	}
	byModes = add(m.Points.ModeCuts(k))
	for _, share := range splitShares {
		add(m.quantileCuts(k, math.Log(share)/math.Log(0.5)))
	}
	return list, byModes
}

// quantileCuts returns k-1 values that split the jobs so that the share below
// the i-th is (i/k)^power: for k = 2, any share.
func (m *Mixture) quantileCuts(k int, power float64) []float64 {
	cuts := make([]float64, 0, k-1)
	for i := 1; i < k; i++ {
		cuts = append(cuts, m.Points.Quantile(math.Pow(float64(i)/float64(k), power)))
	}
	return cuts
}

// split returns the components that fit the parts of the sample between the
// cuts (a value at a cut belongs below it); false if a part is empty.
func (m *Mixture) split(cuts []float64) ([]dist.WeightedGamma, bool) {
	p := &m.Points
	start := make([]dist.WeightedGamma, 0, len(cuts)+1)
	from := 0
	for k := range len(cuts) + 1 {
		to, w := from, 0.0
		for to < p.Len() && (k == len(cuts) || p.X[to] <= cuts[k]) {
			w += p.W[to]
			to++
		}
		if !(w > 0) {
			return nil, false
		}
		start = append(start, dist.WeightedGamma{Weight: w / m.jobs, Law: m.Laws.Of(p, from, to)})
		from = to
	}
	return start, true
}
