package stats

import "math"

// Accuracy returns how close a predicted time is to the actual one, from 0 to 1: 1 if they
// are equal, else the smaller divided by the larger (Sonmez and others, 2009, "Trace-based
// evaluation of job runtime and queue wait time predictions in grids"). Times should not be
// negative; if one is, the result is 0 unless they are equal. It is NaN if either time is
// NaN.
func Accuracy(predicted, actual float64) float64 {
	switch {
	case math.IsNaN(predicted) || math.IsNaN(actual):
		return math.NaN()
	case predicted == actual:
		return 1
	}
	low, high := min(predicted, actual), max(predicted, actual)
	if low <= 0 || math.IsInf(high, 1) {
		return 0
	}
	return low / high
}
