package stats

import "slices"

// Gini returns the Gini coefficient of values that are not negative: how unequally
// a sum is shared out. It is 0 where all values are equal and 1 - 1/n where one of n
// has all; NaN of no values, and of a sum of 0. It is half the mean absolute
// difference of two values over their mean,
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
