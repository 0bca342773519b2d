package dist

import (
	"fmt"
	"math/rand/v2"
	"sort"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestGammaSamplesInBins counts draws in 1,000 bins of equal probability, because the sampler's
// rare second acceptance test shapes the tails, to which the distance between distribution
// functions is insensitive. It is a chi-square test with a false-alarm rate of 1e-9 per shape.
func TestGammaSamplesInBins(t *testing.T) {
	const draws, bins = 500_000, 1000
	bound := distuv.ChiSquared{K: bins - 1}.Quantile(1 - 1e-9)
	for _, shape := range []float64{0.3, 1, 1.5, 4.2, 639.1} {
		t.Run(fmt.Sprintf("shape=%g", shape), func(t *testing.T) {
			g := Gamma{shape, 2}
			edges := make([]float64, bins-1)
			for i := range edges {
				edges[i] = g.Quantile(float64(i+1) / bins)
			}
			rng := rand.New(rand.NewPCG(3, 4))
			var counts [bins]float64
			for range draws {
				counts[sort.SearchFloat64s(edges, g.Rand(rng))]++
			}
			const expected = float64(draws) / bins
			chi := 0.0
			for _, c := range counts {
				chi += (c - expected) * (c - expected) / expected
			}
			if chi > bound {
				t.Errorf("chi-square %.0f, want at most %.0f", chi, bound)
			}
		})
	}
}
