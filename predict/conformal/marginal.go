package conformal

import (
	"math"
	"slices"
)

// marginal is the distribution of the answers of all jobs: of so many shares of them,
// the answer that they are not above.
type marginal []float64

const marginalSteps = 1000

func newMarginal(answers []float64) marginal {
	sorted := slices.Sorted(slices.Values(answers))
	m := make(marginal, marginalSteps+1)
	for i := range m {
		m[i] = sorted[max(0, (i*len(sorted)+marginalSteps-1)/marginalSteps-1)]
	}
	return m
}

func (m marginal) at(q float64) float64 { return m[int(math.Ceil(q*marginalSteps-1e-9))] }
