package series

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// RareEvent is the probability of a run that the tables take for a sign of
// change, by their design: three misses of independent waits at 0.95.
const RareEvent = 0.05 * 0.05 * 0.05

// longestRun ends the search for a run's length.
const longestRun = 5000

// RunLength returns the least k with Pr{X_1 > z, ..., X_k > z} <= RareEvent, at most
// longestRun, for an AR(1) series of normal scores with the autocorrelation rho, from 0
// to below 1, and z the quantile of the normal law.
func RunLength(quantile, rho float64) int {
	z, above := distuv.UnitNormal.Quantile(quantile), 1-quantile
	if rho == 0 {
		return max(1, int(math.Ceil(math.Log(RareEvent)/math.Log(above)-1e-9)))
	}
	// Runs are not rarer than those of independent values (Slepian).
	if math.Pow(above, longestRun) > RareEvent {
		return longestRun
	}
	// density[i] is that of X_k at x[i] together with all so far above z. The
	// nodes are dense enough for the narrow kernel of a rho close to 1.
	width := math.Sqrt((1 - rho) * (1 + rho))
	const reach = 9.0
	n := min(600, 60+int(6*(reach-z)/width))
	x, weight := make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(x, weight, z, reach)
	density, next := make([]float64, n), make([]float64, n)
	for i := range x {
		density[i] = distuv.UnitNormal.Prob(x[i])
	}
	kernel := make([]float64, n*n)
	for i := range x {
		for j := range x {
			kernel[i*n+j] = weight[j] * distuv.UnitNormal.Prob((x[i]-rho*x[j])/width) / width
		}
	}
	for k := 1; k < longestRun; k++ {
		if floats.Dot(weight, density) <= RareEvent*(1+1e-9) {
			return k
		}
		for i := range next {
			next[i] = floats.Dot(kernel[i*n:(i+1)*n], density)
		}
		density, next = next, density
	}
	return longestRun
}
