package fit

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/em"
)

// fitGamma fits one Gamma to the transformed attribute by maximum likelihood: in closed form
// except for the equation of the shape.
func fitGamma(t task) (outcome, error) {
	if err := t.need(2, 2); err != nil {
		return outcome{}, err
	}
	var sums em.GammaSums
	for i, x := range t.x {
		sums.Add(x, t.sample.Counts[i])
	}
	law, ok := sums.ML()
	if !ok {
		return outcome{}, t.degenerate("the values differ too little to estimate a shape")
	}
	return t.withKilled(outcome{law: law, free: 2, status: Converged}, func(v []float64) dist.Law {
		shape := law.Shape * math.Exp(v[1])
		return dist.Gamma{Shape: shape, Scale: law.Mean() * math.Exp(v[0]) / shape}
	})
}
