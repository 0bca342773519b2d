package stats

import "math"

// Accuracy returns how close a predicted time is to the actual one: 1 if they
// are equal, else the smaller over the larger, in [0, 1]. Sonmez and others
// (2009), "Trace-based evaluation of job runtime and queue wait time predictions
// in grids". Times are not below 0; a negative one scores 0 unless both are
// equal. NaN if either is.
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
