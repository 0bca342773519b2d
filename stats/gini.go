package stats

import "slices"

// Gini returns the Gini coefficient of non-negative values, a measure of how unequally a
// total is distributed. It is 0 if all values are equal and 1 - 1/n if one of n values has
// the total; NaN without values or if the total is 0.
//
// It is half the mean absolute difference of two values, divided by their mean,
//
//	G = sum over i of (2 i - n - 1) x(i) / (n sum x), x(1) <= ... <= x(n)
//
// (Gini 1912; Dixon, Weiner, Mitchell-Olds and Woodley, Ecology 68, 1987, eq. 1).
func Gini(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	n := float64(len(sorted))
	var weighted, sum float64
	for i, v := range sorted {
		weighted += (2*float64(i+1) - n - 1) * v
		sum += v
	}
	return weighted / (n * sum)
}
