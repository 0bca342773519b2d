package stats

import "math"

// Quantile returns the p-quantile of ascending values by linear interpolation between order
// statistics at (n-1)p (type 7 of Hyndman and Fan 1996; the default of numpy and R, and numpy's
// arithmetic). It is NaN without values or for p outside [0, 1].
func Quantile(sorted []float64, p float64) float64 {
	return interpolate(len(sorted), p, func(i int) float64 { return sorted[i] })
}

// interpolate returns the type 7 quantile of n values; at returns the i-th smallest, from 0.
func interpolate(n int, p float64, at func(i int) float64) float64 {
	if n == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	place := float64(n-1) * p
	i := int(place)
	low := at(i)
	t := place - float64(i)
	if t == 0 {
		return low
	}
	high := at(i + 1)
	if low == high {
		return low // also where both are infinite
	}
	// Interpolating from the nearer end keeps the result within the ends.
	if t >= 0.5 {
		return high - float64((high-low)*(1-t))
	}
	return low + float64((high-low)*t)
}
